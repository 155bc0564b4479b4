import CPage
import HTTPTypes
import HummingbirdCore
import NIOHTTPTypes
