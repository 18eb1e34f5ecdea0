/** `rubicon export DFID [FILE]`: one flow, with proofs, for an auditor; `--trajectories`: flows to learn from. */
import { writeFileSync } from 'node:fs'
import { nodeCrypto, verifyBundle } from 'rubicon-verifier'
import { assertNoServer, getArchiveOption } from './archive-names.ts'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { exportEpisodes } from './export-episodes.ts'
import { unwrap } from './failure.ts'
import { ensureFreshCheckpoint } from './fresh-checkpoint.ts'
import { SYMBOLS, writeRaw } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'
import { resolveDfidArgument } from './whole-id.ts'

export async function exportRecord(call: CommandCall): Promise<ExitCode> {
  if (call.options.hasFlag('trajectories')) return exportEpisodes(call)
  return call.options.hasFlag('in-toto') ? exportProofs(call) : exportFlow(call)
}

/** Signed where the kernel's key is: over the server that holds it, or over this store and its keys. */
async function exportProofs(call: CommandCall): Promise<ExitCode> {
  const { args, out, streams } = call
  const dfid = await resolveDfidArgument(call)
  const [, file] = args
  const text = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.exportStatement({ params: { dfid } })),
  )
  if (file === undefined) {
    writeRaw(streams.stdout, text)
    return EXIT.done
  }
  writeFileSync(file, text, { mode: 0o600 })
  out.line(`${out.symbol(SYMBOLS.allowed)} in-toto statement in ${file}`)
  out.data({ dfid, file })
  return EXIT.done
}

async function readBundle(call: CommandCall, dfid: string): Promise<string> {
  const archives = getArchiveOption(call)
  if (archives.length === 0)
    return executeAsReader(call, async (client) =>
      unwrapAnswer(await client.exportBundle({ params: { dfid } })),
    )
  assertNoServer(call)
  const { readWithArchives } = await import('./archive-option.ts')
  const { exportBundle } = await import('rubicon-runtime/evidence')
  return readWithArchives(call.place, archives, async (store) =>
    unwrap(await exportBundle(store, nodeCrypto.sha256, dfid)),
  )
}

async function exportFlow(call: CommandCall): Promise<ExitCode> {
  const { args, out, streams } = call
  const dfid = await resolveDfidArgument(call)
  const [, file] = args
  await ensureFreshCheckpoint(call)
  const text = await readBundle(call, dfid)
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
