extension Schema {
    static let returning = """
        -- 1 of somebody who was blocked: nothing speaks against its coming back when that is over.
        ALTER TABLE removal ADD COLUMN may_return INTEGER NOT NULL DEFAULT 0 CHECK (may_return IN (0, 1));
        """
}
