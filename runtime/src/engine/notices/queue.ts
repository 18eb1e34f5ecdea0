/**
 * The outbox of notices: one is put down in the unit of its cause, so that neither happens without
 * the other, and is sent later by `send.ts`.
 *
 * Boundary: what leaves the house by a notice is decided here. Text that is no id, code, amount or
 * time is withheld, whoever put it there: an agent must not write to a person's phone.
 */
import { isIdentifier, isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { Notice } from '../../ports/notifier.ts'
import type { RecordBodies } from '../../ports/record.ts'
import type { Write } from '../../ports/store.ts'

export type QueuedNotice = RecordBodies['notice']

export const DUE = 'due'
export const FAILED = 'failed'

const WITHHELD = '[withheld]'

/** Names that agents make up, and could say anything with. */
const OF_AGENTS: ReadonlySet<string> = new Set(['step_id'])

export function buildNoticeWrite(notice: Notice): Write {
  const details = redactText(notice.details)
  return buildQueueWrite(DUE, {
    notice: { ...notice, details: isObject(details) ? details : {} },
    attempts: 0,
    next_at: null,
  })
}

export function buildQueueWrite(group: typeof DUE | typeof FAILED, queued: QueuedNotice): Write {
  return { kind: 'put_record', record: 'notice', group, key: toNoticeKey(queued), body: queued }
}

/** In the order of their time; one that was never tried has none, and stands before all others. */
export function toNoticeKey({ notice, next_at }: QueuedNotice): string {
  // Contracts name channels in free text, and a key has no room for all of that.
  const channel = encodeURIComponent(notice.channel.toWellFormed())
  return `${next_at ?? ''} ${notice.at} ${notice.id} ${channel}`
}

/** Not less than any key that is due at that time: a space follows the time there. */
export function toLastDueKey(at: string): string {
  return `${at}!`
}

function redactText(value: JsonValue): JsonValue {
  if (typeof value === 'string') return isPlain(value) ? value : WITHHELD
  if (Array.isArray(value)) return value.map(redactText)
  if (!isObject(value)) return value
  return redactObject(value)
}

function redactObject(value: JsonObject): JsonObject {
  const isToldName = (name: string): boolean => isIdentifier(name) && !OF_AGENTS.has(name)
  const members = Object.entries(value).filter(([name]) => isToldName(name))
  return Object.fromEntries(members.map(([name, member]) => [name, redactText(member)]))
}

/** Ids, codes, decimals and times all are identifiers; so are addresses of people. */
function isPlain(text: string): boolean {
  return isIdentifier(text) && !text.includes('@')
}
