/** The process of a desk: answers one request after another, and ends with whoever started it. */
import { Worker } from 'node:worker_threads'
import { answerText } from './answer-text.ts'
import { type DeskReply, parseMessage } from './desk-messages.ts'
import { watchReading } from './kept-artifacts.ts'

function send(reply: DeskReply): void {
  process.send?.(reply)
}

process.on('message', (value) => {
  const message = parseMessage(value)
  if (message === null) return
  const { id, request, unreadable } = message
  send({ id, answer: null, reading: null })
  watchReading({ unreadable: new Set(unreadable), tell })
  send({ id, answer: answerText(request), reading: null })

  function tell(reading: string | null): void {
    send({ id, answer: null, reading })
  }
})
process.on('disconnect', () => process.exit(0))

// A parser that does not come to an end hears nothing: another thread looks whether anybody waits for it.
const file = import.meta.url.endsWith('.ts') ? './desk-watch.ts' : './desk-watch.js'
new Worker(new URL(file, import.meta.url)).unref()
