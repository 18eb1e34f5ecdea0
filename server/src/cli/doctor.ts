/** `rubicon doctor`: everything that has to be right, each with what to do when it is not. */
import type { CommandCall } from './call.ts'
import { checkArtifactsFolder } from './doctor-artifacts.ts'
import { type DoctorCheck, hasFailed } from './doctor-check.ts'
import { checkMachine } from './doctor-machine.ts'
import { checkRegistry } from './doctor-registry.ts'
import { storeChecks } from './doctor-store.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'

const LOOKS = { ok: SYMBOLS.allowed, warning: SYMBOLS.waiting, failure: SYMBOLS.rejected } as const

export async function runDoctor(call: CommandCall): Promise<ExitCode> {
  const { place, options, out } = call
  const files = options.text('artifacts')
  const checks: readonly DoctorCheck[] = [
    ...checkMachine(place),
    ...(await storeChecks(place, files)),
    ...checkArtifactsFolder(place, files),
    ...(await checkRegistry(call)),
  ]
  for (const { status, name, detail, fix } of checks) {
    out.line(`${out.symbol(LOOKS[status])} ${name}: ${escapeText(detail)}`)
    if (status !== 'ok' && fix !== undefined) out.line(`  fix  ${escapeText(fix)}`)
  }
  const ok = !checks.some(hasFailed)
  out.data({ ok, checks })
  return ok ? EXIT.done : EXIT.findings
}
