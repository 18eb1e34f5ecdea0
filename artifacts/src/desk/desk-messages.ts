/** What a desk and its process say to each other. Requests and answers are texts, so that each side reads what it is sent by itself. */

/** To the process. */
export type DeskMessage = {
  readonly id: number
  readonly request: string
  /** Hashes of texts that are not to be parsed: one of them ended a process before. */
  readonly unreadable: readonly string[]
}

/** From the process: what it reads now, or that it is done. */
export type DeskReply = {
  readonly id: number
  readonly answer: string | null
  /** The hash of the text that it begins to parse; null: it parses none of the project. */
  readonly reading: string | null
}

/** Null: it is none. */
export function parseMessage(value: unknown): DeskMessage | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  const { id } = value
  const request = 'request' in value ? value.request : null
  const unreadable = 'unreadable' in value ? value.unreadable : null
  const isList = Array.isArray(unreadable) && unreadable.every((one) => typeof one === 'string')
  const isMessage = typeof id === 'number' && typeof request === 'string' && isList
  return isMessage ? { id, request, unreadable } : null
}

/** Null: it is none. */
export function parseReply(value: unknown): DeskReply | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  const { id } = value
  const answer = 'answer' in value ? value.answer : undefined
  const isAnswer = answer === null || typeof answer === 'string'
  const reading = 'reading' in value ? value.reading : undefined
  const isRead = reading === null || typeof reading === 'string'
  return typeof id === 'number' && isAnswer && isRead ? { id, answer, reading } : null
}
