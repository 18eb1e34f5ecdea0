/** `rubicon artifact apply FILE --delta …`: plans a structural change, shows it, and writes it with how it is taken back. */
import { readFileSync } from 'node:fs'
import {
  ARTIFACT_LIMITS,
  type Delta,
  findKnownSecret,
  parseDeltas,
  planDeltas,
} from 'rubicon-artifacts'
import type { EventStep } from 'rubicon-artifacts/store'
import { parseJson } from 'rubicon-kernel'
import { type CommandCall, getArgument } from '../call.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CliFailure } from '../failure.ts'
import { SYMBOLS } from '../output.ts'
import {
  createDeltaFailure,
  openArtifactPlace,
  parseBytes,
  type ReadText,
  readText,
  toArtifactId,
} from './artifact-place.ts'
import { listStepLines, showChangedLines } from './changed-lines.ts'
import { listChangeRows, showChangeRows } from './symbol-changes.ts'
import { runWriter } from './write-event.ts'

type Planned = {
  readonly before: ReadText
  readonly after: ReadText
  readonly steps: readonly EventStep[]
}

export async function applyDeltas(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const place = openArtifactPlace(call)
  const id = toArtifactId(place, getArgument(call, 0, 'FILE'))
  const deltas = readDeltas(options.getRequired('delta', '--delta JSON|@FILE'))
  if (options.hasFlag('dryRun')) {
    const planned = planAll(readText(place, id), deltas)
    report(call, planned, null)
    return EXIT.done
  }
  return runWriter(call, place, async ({ write }) => {
    const planned = planAll(readText(place, id), deltas)
    const { before, after, steps } = planned
    const event = await write({
      undoes: null,
      deltas,
      files: [{ id, before: before.artifact.bytes, after: after.artifact.bytes, steps }],
    })
    report(call, planned, event.seq)
    out.note(`${SYMBOLS.info} undo it with: \`rubicon artifact undo ${event.seq}\``)
    return EXIT.done
  })
}

/** Each sees what those before it did; all of them, or none. */
function planAll(before: ReadText, deltas: readonly Delta[]): Planned {
  const planned = planDeltas(before.parsed, deltas, before.format, {
    findSecret: findKnownSecret,
  })
  if (!planned.ok) {
    const { index } = planned.error
    throw createDeltaFailure(before, planned.error, deltas.length === 1 ? null : (index ?? null))
  }
  const { steps, after } = planned.value
  return {
    before,
    after: parseBytes(before.artifact.id, Buffer.from(after.text)),
    steps: steps.map(({ splices, inverse }) => ({ splices, inverse })),
  }
}

function report(
  { out }: CommandCall,
  { before, after, steps }: Planned,
  event: number | null,
): void {
  const file = before.artifact.id
  const lines = listStepLines(before.parsed.text, steps)
  const changes = listChangeRows(before, after)
  showChangedLines(out, file, lines)
  showChangeRows(out, changes)
  if (event !== null) out.line(`${out.symbol(SYMBOLS.allowed)} event ${event}`)
  else out.line(`${out.symbol(SYMBOLS.info)} nothing was written`)
  const hashes = { before: before.artifact.hash, after: after.artifact.hash }
  out.data({ event, file, ...hashes, changes, lines })
}

/** Room for as many fragments as a list may have, not for each at its largest. */
const DELTA_JSON = { depth: 64, bytes: ARTIFACT_LIMITS.bytes, keys: 65_536 }

/** What begins with `@` names a file. */
function readDeltas(given: string): readonly Delta[] {
  const text = given.startsWith('@') ? readFileSync(given.slice(1)) : given
  const parsed = parseJson(text, DELTA_JSON)
  if (!parsed.ok)
    throw new CliFailure({
      code: 'DELTA_MALFORMED',
      summary: `\`--delta\` is no JSON: ${parsed.error.detail}`,
      fix: 'write it as {"op": "remove", "target": "class:Name"}, or name a file as @FILE',
    })
  const deltas = parseDeltas(parsed.value)
  if (deltas.ok) return deltas.value
  throw new CliFailure({
    code: 'DELTA_MALFORMED',
    summary: `\`--delta\`${deltas.error.pointer === '' ? '' : ` at \`${deltas.error.pointer}\``}: ${deltas.error.detail}`,
    fix: 'correct the delta at that place',
  })
}
