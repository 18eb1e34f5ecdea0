/** The process of a desk: answers one request after another, and ends with whoever started it. */
import { Worker } from 'node:worker_threads'
import { answerText } from './answer-text.ts'
import { type DeskReply, parseMessage } from './desk-messages.ts'

function send(reply: DeskReply): void {
  process.send?.(reply)
}

process.on('message', (value) => {
  const message = parseMessage(value)
  if (message === null) return
  const { id, request } = message
  send({ id, answer: null })
  send({ id, answer: answerText(request) })
})
process.on('disconnect', () => process.exit(0))

// A parser that does not come to an end hears nothing: another thread looks whether anybody waits for it.
const file = import.meta.url.endsWith('.ts') ? './desk-watch.ts' : './desk-watch.js'
new Worker(new URL(file, import.meta.url)).unref()
