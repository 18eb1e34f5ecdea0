/** What a desk and its process say to each other. Requests and answers are texts, so that each side reads what it is sent by itself. */

/** To the process. */
export type DeskMessage = { readonly id: number; readonly request: string }

/** From the process: it has begun, or is done. */
export type DeskReply = { readonly id: number; readonly answer: string | null }

/** Null: it is none. */
export function parseMessage(value: unknown): DeskMessage | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  const { id } = value
  const request = 'request' in value ? value.request : null
  return typeof id === 'number' && typeof request === 'string' ? { id, request } : null
}

/** Null: it is none. */
export function parseReply(value: unknown): DeskReply | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  const { id } = value
  const answer = 'answer' in value ? value.answer : undefined
  const isAnswer = answer === null || typeof answer === 'string'
  return typeof id === 'number' && isAnswer ? { id, answer } : null
}
