extension WallOutput {
    /// What a chat answers, for a shell: there it is what was asked for, and not a word beside a conversation.
    package init(answer: ChatItem.Reply) {
        self.init(Phrases.reply(answer), objects: [JSONLine(answer.members)])
    }
}
