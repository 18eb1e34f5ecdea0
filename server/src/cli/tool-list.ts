/** `rubicon tool list [--tools FILE]`: what stands in a tools file, as whoever answers for it reads it. */
import type { EffectClass, RiskClass } from 'rubicon-kernel'
import {
  type InspectedTool,
  inspectTools,
  listDestinations,
  listSecretNames,
} from 'rubicon-runtime/tools'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { formatFailureLines, unwrap } from './failure.ts'
import { formatTable } from './output.ts'
import { findRegistrationProblem } from './tool-check.ts'

export type ToolRow = {
  readonly file: string
  readonly kind: string | null
  readonly version: string | null
  readonly effect: EffectClass | null
  readonly risk: RiskClass | null
  /** Hosts and programs. */
  readonly goes_to: readonly string[]
  /** Names; values are not read. */
  readonly secrets: readonly string[]
  readonly allowed: boolean
  readonly problems: readonly string[]
}

export const DEFAULT_TOOLS_FILE = 'tools.yaml'

export async function listTools({ options, out }: CommandCall): Promise<ExitCode> {
  const path = options.text('tools') ?? DEFAULT_TOOLS_FILE
  const { tools } = unwrap(await inspectTools(path, findRegistrationProblem))
  const rows = tools.map(toRow)
  const cells = rows.map((row) => [
    row.kind ?? row.file,
    row.version ?? '',
    row.effect ?? '',
    row.risk ?? '',
    row.goes_to.join(', '),
    row.secrets.join(', '),
    row.allowed ? 'allowed' : row.kind === null ? 'invalid' : 'not allowed',
  ])
  if (cells.length > 0) for (const line of formatTable([HEAD, ...cells], out.width)) out.line(line)
  for (const { failure } of tools)
    if (failure !== null) for (const line of formatFailureLines(failure)) out.note(line)
  out.data({ tools: rows })
  return EXIT.done
}

const HEAD = ['kind', 'version', 'effect', 'risk', 'goes to', 'secrets', 'is']

function toRow({ file, manifest, failure, denied }: InspectedTool): ToolRow {
  const details = denied.map(({ pointer, code, detail }) => `${pointer}: ${code}: ${detail}`)
  return {
    file,
    kind: manifest?.kind ?? null,
    version: manifest?.version ?? null,
    effect: manifest?.effect ?? null,
    risk: manifest?.risk ?? null,
    goes_to: manifest === null ? [] : listDestinations(manifest),
    secrets: manifest === null ? [] : listSecretNames(manifest),
    allowed: failure === null,
    problems: details.length > 0 || failure === null ? details : [failure.summary],
  }
}
