/**
 * `rubicon doctor`: everything that has to be right, each with what to do when it is not. With `--fix` it does itself what loses
 * nothing, tells each repair before and after, and looks again.
 */
import type { CommandCall } from './call.ts'
import { checkArtifactsFolder } from './doctor-artifacts.ts'
import { type DoctorCheck, type DoneRepair, hasFailed, toPrintedCheck } from './doctor-check.ts'
import { checkLeftovers } from './doctor-leftovers.ts'
import { checkMachine } from './doctor-machine.ts'
import { checkSurroundings } from './doctor-project.ts'
import { checkRegistry } from './doctor-registry.ts'
import { storeChecks } from './doctor-store.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'

const LOOKS = { ok: SYMBOLS.allowed, warning: SYMBOLS.waiting, failure: SYMBOLS.rejected } as const

export async function runDoctor(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const found = await runChecks(call)
  const fixed = options.hasFlag('fix') ? await repairAll(call, found) : []
  const checks = fixed.length === 0 ? found : await runChecks(call)
  for (const { status, name, detail, fix, repair } of checks) {
    out.line(`${out.symbol(LOOKS[status])} ${name}: ${escapeText(detail)}`)
    if (status !== 'ok' && fix !== undefined) out.hint(`  fix  ${escapeText(fix)}`)
    if (repair !== undefined && !options.hasFlag('fix'))
      out.line(`  --fix would ${escapeText(repair.what)}`)
  }
  const ok = !checks.some(hasFailed)
  out.data({ ok, checks: checks.map(toPrintedCheck), fixed })
  return ok ? EXIT.done : EXIT.findings
}

async function runChecks(call: CommandCall): Promise<readonly DoctorCheck[]> {
  const { place, options } = call
  const files = options.text('artifacts')
  return [
    ...checkMachine(place),
    ...(await storeChecks(place, files)),
    ...checkArtifactsFolder(place, files),
    ...(await checkRegistry(call)),
    ...(await checkLeftovers(place)),
    ...checkSurroundings(place),
  ]
}

/** One that cannot be done hides none of the others. */
async function repairAll(
  { out }: CommandCall,
  checks: readonly DoctorCheck[],
): Promise<readonly DoneRepair[]> {
  const done: DoneRepair[] = []
  for (const { name, repair } of checks) {
    if (repair === undefined) continue
    const { what } = repair
    out.line(`${out.symbol(SYMBOLS.step)} ${name}: ${escapeText(what)}`)
    const problem = await findRepairProblem(repair)
    done.push({ name, what, done: problem === null, problem })
    out.line(
      problem === null
        ? `${out.symbol(SYMBOLS.allowed)} ${name}: done`
        : `${out.symbol(SYMBOLS.rejected)} ${name}: ${escapeText(problem)}`,
    )
  }
  return done
}

async function findRepairProblem(
  repair: NonNullable<DoctorCheck['repair']>,
): Promise<string | null> {
  try {
    await repair.run()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
