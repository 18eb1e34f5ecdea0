/** Checks in a thread of its own, so that the page stays alive meanwhile. */
import { createBrowserCrypto } from 'rubicon-verifier/browser'
import { checkFile, checkServer, type Hooks } from './check-source.ts'
import { type FromWorker, parseToWorker, type ToWorker } from './verify-messages.ts'

const crypto = createBrowserCrypto()
/** Of a job that was stopped, or overtaken by another. */
let current = 0

globalThis.addEventListener('message', ({ data }) => {
  const message = parseToWorker(data)
  current = message.kind === 'cancel' ? 0 : message.run
  if (message.kind !== 'cancel') void check(message)
})

async function check(message: Exclude<ToWorker, { readonly kind: 'cancel' }>): Promise<void> {
  const { run } = message
  const hooks: Hooks = {
    crypto,
    pins: message.pins,
    progress: (progress) => say({ kind: 'progress', run, progress }),
    async goOn() {
      // A turn of the loop: what was sent meanwhile is heard.
      await new Promise((resolve) => setTimeout(resolve))
      return current === run
    },
    clock: () => performance.now(),
  }
  try {
    const verified =
      message.kind === 'file'
        ? await checkFile(message.file, hooks)
        : await checkServer(fetchRange, hooks)
    if (verified !== null) say({ kind: 'done', run, verified })
  } catch (error) {
    say({ kind: 'failed', run, why: error instanceof Error ? error.message : String(error) })
  }
}

function say(message: FromWorker): void {
  globalThis.postMessage(message)
}

async function fetchRange(from: number | null, limit: number): Promise<Uint8Array> {
  const start = from === null ? '' : `from=${from}&`
  const response = await fetch(`/v1/ledger/export?${start}limit=${limit}`)
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
