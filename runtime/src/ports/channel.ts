/**
 * A notification channel as an operator sets it up: where people are told, of what, and how often. It holds names of
 * secrets and no secret.
 */
import type { Notice } from './notifier.ts'

export type NoticeKind = Notice['kind']

/** How much it matters, the least first. */
export const NOTICE_SEVERITIES = ['info', 'warning', 'critical'] as const
export type NoticeSeverity = (typeof NOTICE_SEVERITIES)[number]

/** `critical`: something was done that nobody can vouch for, or an agent stands still until a person acts. */
const SEVERITY_OF: Readonly<Record<NoticeKind, NoticeSeverity>> = {
  escalation: 'warning',
  expiry: 'warning',
  suspension: 'critical',
  dirty_flow: 'critical',
  needs_review: 'info',
  manual_review: 'critical',
  drift: 'warning',
  adviser_budget: 'info',
  tool_drift: 'warning',
}

export const NOTICE_KINDS: readonly NoticeKind[] = Object.keys(SEVERITY_OF).filter(isNoticeKind)

export function isNoticeKind(word: string): word is NoticeKind {
  return Object.hasOwn(SEVERITY_OF, word)
}

export function getSeverity(kind: NoticeKind): NoticeSeverity {
  return SEVERITY_OF[kind]
}

/** By its name in the channels file of the machine, where its value comes from. */
export type SecretName = { readonly secret: string }

/** In clear, or by the name of a secret that is all of it: such addresses often hold a password in their path. */
export type ChannelAddress = string | SecretName

export const CHANNEL_KINDS = ['webhook', 'slack', 'mail'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** `tls`: encrypted from the first byte. `starttls`: encrypted before anything is said. `none`: this machine only. */
export const MAIL_SECURITIES = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof MAIL_SECURITIES)[number]

export type WebhookPlace = {
  readonly kind: 'webhook'
  readonly url: ChannelAddress
  /** Signs what is sent, as `webhookNotifier` does. */
  readonly signing?: SecretName
}

export type SlackPlace = { readonly kind: 'slack'; readonly url: ChannelAddress }

export type MailPlace = {
  readonly kind: 'mail'
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
  readonly from: string
  readonly to: readonly string[]
  /** Without it, nobody signs in. */
  readonly user?: string
  readonly password?: SecretName
}

export type ChannelPlace = WebhookPlace | SlackPlace | MailPlace

/** What an operator says of a channel. */
export type ChannelSettings = {
  readonly place: ChannelPlace
  /** Kinds of notices that it is told, whoever they are for. A contract that names the channel tells it anything. */
  readonly tells: readonly NoticeKind[]
  /** Nothing below it is told. */
  readonly least: NoticeSeverity
  /** After a message, whatever comes within so many seconds goes into one. */
  readonly quiet_s: number
  readonly paused: boolean
}

export type Channel = ChannelSettings & {
  readonly name: string
  /** Rises with every change: whoever changes it says which one they saw. */
  readonly revision: number
  readonly changed_at: string
  /** Null: whoever works on the machine itself and gave no name. */
  readonly changed_by: string | null
}

/** What came back of an attempt. */
export type ChannelResult = {
  readonly at: string
  readonly ok: boolean
  /** In the words of the other side, without secrets, or what went wrong on the way. */
  readonly said: string
  /** Notices in that message; 0: a test. */
  readonly notices: number
}

/** How a channel stands, beside what was said of it. */
export type ChannelStanding = {
  /** In a row, without success. */
  readonly attempts: number
  /** Nothing is sent before that; null: at once. */
  readonly next_at: string | null
  readonly last: ChannelResult | null
  /** The last time that it was given up; null: never. */
  readonly given_up: { readonly at: string; readonly notices: number; readonly said: string } | null
}

/** `taken`: a message is under way, until `next_at` at the latest. */
export type KeptStanding = ChannelStanding & { readonly taken?: true }

/** What goes out in one message. */
export type ChannelMessage = {
  readonly channel: Pick<Channel, 'name'>
  readonly tenant: string
  /** Oldest first; the first of them stand in the message, and how many more there are. Empty: it is a test. */
  readonly notices: readonly Notice[]
  readonly at: string
}

/** What carries messages to people. It may be slow, wrong or down: nothing waits for it. */
export interface Messenger {
  /** What is wrong with a place, in words, before anything is sent there; null: it can be tried. */
  findProblem(place: ChannelPlace): string | null
  /** What the other side said. Throws `NotDelivered`, whose message says why and holds no secret. */
  deliver(place: ChannelPlace, message: ChannelMessage, signal: AbortSignal): Promise<string>
}

export class NotDelivered extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotDelivered'
  }
}

/** Of the small rows beside the ledger, those of channels. */
export type ChannelRecords = {
  /** Where people are told, as an operator set it up. group: `channels`; key: its name. */
  readonly channel: Channel
  /** group: `channels`; key: the name of the channel. */
  readonly channel_standing: KeptStanding
  /** What a channel is still to be told. group: its name; key: the notice's time, then its id. */
  readonly channel_notice: Notice
}
