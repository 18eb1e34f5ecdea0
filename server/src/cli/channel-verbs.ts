/** The verbs about notification channels. */
import { type VerbSpec, YES } from './verb-spec.ts'

export const CHANNEL_VERBS: readonly VerbSpec[] = [
  {
    verb: 'channels list',
    summary: 'list notification channels, with their last results',
    remote: true,
    load: async () => (await import('./channels.ts')).listChannels,
  },
  {
    verb: 'channels add',
    args: '<name>',
    summary: 'set up a notification channel; secrets are named as in the channels file',
    options: [
      ['--kind <kind>', 'webhook, slack or mail'],
      [
        '--url <url>',
        'the address of a webhook, of Slack, or of a service with the interface of Slack',
      ],
      ['--url-secret <name>', 'the secret that is the whole address, instead of --url'],
      ['--signing-secret <name>', 'the secret that signs messages to a webhook'],
      ['--smtp <host:port>', 'the mail server'],
      ['--security <how>', 'tls (default), starttls, or none on this machine'],
      ['--from <address>', 'the sender of mails'],
      ['--to <addresses>', 'the addressees of mails, separated by commas'],
      ['--user <name>', 'the user at the mail server'],
      ['--password-secret <name>', 'the secret that is the password there'],
      ['--tells <kinds>', 'kinds of notices, separated by commas (default: all)'],
      ['--least <severity>', 'info (default), warning or critical'],
      ['--quiet <seconds>', 'the least time between two messages (default: 60)'],
    ],
    remote: true,
    load: async () => (await import('./channels.ts')).addChannel,
  },
  {
    verb: 'channels test',
    args: '<name>',
    summary: 'send a test message, and show the answer',
    remote: true,
    load: async () => (await import('./channels.ts')).testChannel,
  },
  {
    verb: 'channels remove',
    args: '<name>',
    summary: 'remove a notification channel; notices that still wait are not sent',
    options: [YES],
    remote: true,
    load: async () => (await import('./channels.ts')).removeChannel,
  },
]
