/** `rubicon export DFID [FILE]`: one flow, with proofs, for an auditor; `--trajectories`: flows to learn from. */
import { writeFileSync } from 'node:fs'
import { nodeCrypto, verifyBundle } from 'rubicon-verifier'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getServerOption } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { exportEpisodes } from './export-episodes.ts'
import { ensureFreshCheckpoint } from './fresh-checkpoint.ts'
import { SYMBOLS, writeRaw } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'
import { resolveDfidArgument } from './whole-id.ts'

export async function exportRecord(call: CommandCall): Promise<ExitCode> {
  if (call.options.hasFlag('trajectories')) return exportEpisodes(call)
  return exportFlow(call)
}

async function exportFlow(call: CommandCall): Promise<ExitCode> {
  const { args, out, streams } = call
  const dfid = await resolveDfidArgument(call)
  const [, file] = args
  // A server signs one by itself.
  if (getServerOption(call) === undefined) await ensureFreshCheckpoint(call)
  const text = await executeAsReader(call, async (client) =>
    unwrapAnswer(await client.exportBundle({ params: { dfid } })),
  )
  if (file === undefined) {
    writeRaw(streams.stdout, text)
    return EXIT.done
  }
  writeFileSync(file, text, { mode: 0o600 })
  const { ok, entries } = verifyBundle(text, nodeCrypto)
  out.line(`${out.symbol(ok ? SYMBOLS.allowed : SYMBOLS.rejected)} ${entries} entries in ${file}`)
  out.note(`${SYMBOLS.info} anyone can check it: npx rubicon verify ${file}`)
  out.data({ dfid, file, entries, verified: ok })
  return ok ? EXIT.done : EXIT.findings
}
