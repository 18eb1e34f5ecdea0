/**
 * What a message says, in words that are ours. Whatever else stands in it is an identifier: a notice holds nothing
 * that an agent wrote freely, and what is no identifier is withheld once more here.
 */
import { isIdentifier, LIMITS } from 'rubicon-kernel'
import { type ChannelMessage, getSeverity } from '../ports/channel.ts'
import { NOTICE_WORDS } from '../ports/notice-words.ts'
import type { Notice } from '../ports/notifier.ts'

export type MessageLine = {
  readonly words: string
  /** Names and values, each an identifier. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** Where it can be looked at. */
  readonly link: string | null
}

export type MessageWords = {
  readonly title: string
  readonly lines: readonly MessageLine[]
  /** What the message has no room for; null: it has all. */
  readonly more: string | null
}

export function describeMessage(
  { notices, channel, tenant }: ChannelMessage,
  consoleUrl: string | null,
): MessageWords {
  if (notices.length === 0) return describeTest(channel.name, tenant)
  const [first] = notices
  const one = notices.length === 1 && first !== undefined
  const title = one ? NOTICE_WORDS[first.kind] : `${formatCount(notices.length)} notices`
  const shown = notices.slice(0, LIMITS.channelListed)
  const left = notices.length - shown.length
  return {
    title: `Rubicon ${toPlainId(tenant)}: ${title}`,
    lines: shown.map((notice) => describeNotice(notice, consoleUrl)),
    more: left === 0 ? null : `and ${formatCount(left)} more, in the console`,
  }
}

function describeTest(name: string, tenant: string): MessageWords {
  return {
    title: `Rubicon ${toPlainId(tenant)}: a test message`,
    lines: [
      {
        words: 'this channel works: an operator asked for a test, and nothing has happened',
        facts: [['channel', toPlainId(name)]],
        link: null,
      },
    ],
    more: null,
  }
}

/** At the limit nobody counted what came beyond it. */
function formatCount(count: number): string {
  return count >= LIMITS.channelWaiting ? `${LIMITS.channelWaiting} or more` : String(count)
}

function describeNotice(notice: Notice, consoleUrl: string | null): MessageLine {
  const { kind, agent_id, reason_code, dfid, at, details } = notice
  const said = Object.entries(details).filter((member): member is [string, string | number] =>
    ['string', 'number'].includes(typeof member[1]),
  )
  return {
    words: `${getSeverity(kind)}: ${NOTICE_WORDS[kind]}`,
    facts: [
      ['agent', toPlainId(agent_id)],
      ['reason', toPlainId(reason_code)],
      ...(dfid === undefined ? [] : [['flow', toPlainId(dfid)] as const]),
      ['at', toPlainId(at)],
      ...said.map(([name, value]) => [toPlainId(name), toPlainId(String(value))] as const),
    ],
    link: consoleUrl === null ? null : findLink(notice, consoleUrl),
  }
}

function findLink({ kind, dfid, agent_id, details }: Notice, consoleUrl: string): string {
  const { request } = details
  const toUrl = (page: string, id: string): string =>
    `${consoleUrl}/${page}/${encodeURIComponent(id)}`
  if (kind === 'escalation' && typeof request === 'string') return toUrl('inbox', request)
  return dfid === undefined ? toUrl('agents', agent_id) : toUrl('flows', dfid)
}

const WITHHELD = '[withheld]'

export function toPlainId(text: string): string {
  return isIdentifier(text) ? text : WITHHELD
}
