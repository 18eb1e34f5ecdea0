/**
 * Which conversation a call of a client belongs to: the one that it names, or the process that serves it alone, or the
 * day. People find calls by it; nothing is decided on it.
 *
 * A client cannot speak in the name of what the gateway names itself. One that names a conversation over HTTP vouches that it
 * gives no id twice in it; in a process that serves one client, ids count within the process, whatever it names.
 */
import { isIdentifier } from 'rubicon-kernel'
import type { FrontOptions } from './front-options.ts'

const MEMBER = 'rubicon/conversation'

/** What conversations begin with that the gateway has named. */
const PROCESS = 'process:'
const DAY = 'day:'

export const UNREADABLE_CONVERSATION: string = `\`_meta["${MEMBER}"]\` is no name of 1 to 128 letters, digits and . _ : @ -, or begins with \`${PROCESS}\` or \`${DAY}\`.`

export type Conversation = {
  readonly name: string | undefined
  /** In which ids are not given twice; absent: nobody vouches for that. */
  readonly vouched: string | undefined
}

/** Null: it names one that cannot be kept. Whoever names one relies on finding its calls there. */
export function readConversation(
  { conversation, nameConversation }: Pick<FrontOptions, 'conversation' | 'nameConversation'>,
  meta: Readonly<Record<string, unknown>> | undefined,
): Conversation | null {
  const named = meta?.[MEMBER]
  if (named !== undefined && !isClientName(named)) return null
  return {
    name: named ?? conversation ?? nameConversation?.(),
    vouched: conversation ?? named,
  }
}

function isClientName(value: unknown): value is string {
  if (typeof value !== 'string' || !isIdentifier(value)) return false
  return !value.startsWith(PROCESS) && !value.startsWith(DAY)
}

/** Of a process that serves one client. */
export function nameProcessConversation(id: string): string {
  return `${PROCESS}${id}`
}

/** Of clients that come and go: there is one token for each agent. `instant`: RFC 3339, in UTC. */
export function nameDayConversation(instant: string): string {
  return `${DAY}${instant.slice(0, 10)}`
}
