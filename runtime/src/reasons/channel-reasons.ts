/** Codes about notification channels, tokens of people and browsers that are signed in. */
import type { EngineReason } from './engine-reasons.ts'

export const CHANNEL_REASONS: Readonly<Record<string, EngineReason>> = {
  CHANNEL_UNKNOWN: {
    means: 'there is no notification channel of this name',
    why: 'it was never set up, or somebody removed it',
    fix: '`rubicon channels list` shows those that there are',
  },
  CHANNEL_EXISTS: {
    means: 'there is a notification channel of this name already',
    why: 'a channel is created once, and changed afterwards',
    fix: 'change that one in the console, or use another name',
  },
  CHANNEL_CHANGED: {
    means: 'the channel was changed since it was shown to you',
    why: 'without this check the second of two operators would undo the change of the first',
    fix: 'reload the channel, and change it again',
  },
  CHANNEL_BUSY: {
    means: 'a test of the channel is under way',
    why: 'one is sent at a time; it takes 20 s at most',
    fix: 'wait for its result',
  },
  CHANNEL_INVALID: {
    means: 'nothing may be sent to such a channel',
    why: 'channels reach public addresses, and use secrets only as the machine says',
    fix: 'use another address, or name host and secret in the file of `rubicon up --channels`',
  },
  CHANNELS_FULL: {
    means: 'the limit of notification channels is reached',
    why: 'each notice is held against all of them',
    fix: 'remove one that is not used: `rubicon channels remove NAME`',
  },
  CHANNELS_NOT_CONFIGURED: {
    means: 'this process sends no messages to channels',
    why: 'only a server sends; a command on the store does not',
    fix: 'start the server: `rubicon up`',
  },
  CHANNELS_FILE_INVALID: {
    means: 'the channels file cannot be read',
    why: 'what channels may reach must be said without doubt',
    fix: 'correct the places that are named; docs/guides/administration.md has an example',
  },
  TOKEN_UNKNOWN: {
    means: 'there is no token for this name in the file of this server',
    why: 'it has ended already, is of another tenant, or is kept in a file of its own',
    fix: 'see Settings, Tokens and sessions; one of `--token-file` ends where that file is',
  },
  TOKEN_LAST: {
    means: 'it is the last token of an operator',
    why: 'without it no operator could sign in any more',
    fix: 'make another on the machine: `rubicon token NAME --role operator`',
  },
  SESSION_UNKNOWN: {
    means: 'there is no such session any more',
    why: 'it was ended, or its time was over',
    fix: 'nothing; that browser is signed out',
  },
}
