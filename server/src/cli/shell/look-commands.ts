/** `monitors`, `verify`, `explain` and `who`: looking, and nothing else. */

import { createCall } from 'rubicon-agents'
import { REASON_CODES } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { escapeText } from '../escape-text.ts'
import { EXIT } from '../exit-code.ts'
import { showReport } from '../verify.ts'
import type { CommandResult, ShellCommand } from './command.ts'
import { unwrapServerAnswer } from './link.ts'
import type { ShellSession } from './session.ts'
import { formatValue } from './value-text.ts'
import { createVerbCommand } from './verb-command.ts'

export const LOOK_COMMANDS: readonly ShellCommand[] = [
  createVerbCommand({
    name: 'monitors',
    summary: 'list monitors and their current results',
    load: async () => (await import('../monitors.ts')).listMonitors,
  }),
  { name: 'verify', summary: 'download the whole ledger and verify it here', run: verify },
  createVerbCommand({
    name: 'explain',
    args: '[CODE]',
    summary: 'what a reason code means, why it exists, how to fix it',
    words: REASON_CODES,
    load: async () => (await import('../explain.ts')).explain,
  }),
  { name: 'who', summary: 'show your name and roles at the server', run: showIdentity },
]

/** With the verifier itself, on what the server handed out: its word is not taken for it. */
async function verify({ link, out, progressOf }: ShellSession): Promise<CommandResult> {
  const call = createCall(link.asks)
  const stream = unwrapServerAnswer(
    await call<ReadableStream<Uint8Array>>('GET', '/v1/ledger/export', {}, 'stream'),
  )
  const fetched = progressOf('bytes')
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    bytes += chunk.length
    fetched.tell(bytes, null)
  }
  fetched.end()
  const checked = progressOf('entries')
  const report = verifyAny(Buffer.concat(chunks), nodeCrypto, { onProgress: checked.tell })
  checked.end()
  showReport(out, report)
  return { data: report, exit: report.ok ? EXIT.done : EXIT.findings }
}

async function showIdentity({ link, out }: ShellSession): Promise<CommandResult> {
  const body = unwrapServerAnswer(await link.client.getSession())
  const { shown, roles, tenant } = body
  out.line(`${formatValue(shown)} (${roles.join(', ')}) in ${escapeText(tenant)} at ${link.url}`)
  return { data: body }
}
