/** `rubicon export DFID [FILE]`: one flow, with proofs, for an auditor. */
import { writeFileSync } from 'node:fs'
import { exportBundle } from 'rubicon-runtime/evidence'
import { nodeCrypto, verifyBundle } from 'rubicon-verifier'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { unwrap } from './failure.ts'
import { ensureFreshCheckpoint } from './fresh-checkpoint.ts'
import { readFromStore } from './open.ts'
import { SYMBOLS, writeRaw } from './output.ts'
import { resolveDfidArgument } from './whole-id.ts'

export async function exportFlow(call: CommandCall): Promise<ExitCode> {
  const { args, out, place, streams } = call
  const dfid = await resolveDfidArgument(call)
  const [, file] = args
  await ensureFreshCheckpoint(call)
  const bundle = await readFromStore(place, (store) => exportBundle(store, nodeCrypto.sha256, dfid))
  const text = unwrap(bundle)
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
