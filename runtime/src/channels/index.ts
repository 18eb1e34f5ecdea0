/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { type ChannelRules, loadChannelRules, NO_CHANNEL_RULES } from './channel-rules.ts'
export { createMessenger } from './messenger.ts'
