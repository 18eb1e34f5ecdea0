/** `rubicon artifact diff A B`, or `FILE [--since EVENT]`: the difference by structure. */
import { type CommandCall, createUsageFailure, getArgument } from '../call.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CliFailure } from '../failure.ts'
import { SYMBOLS } from '../output.ts'
import {
  type ArtifactPlace,
  openArtifactPlace,
  openHistory,
  parseBytes,
  type ReadText,
  readText,
  toArtifactId,
  unwrapHistory,
} from './artifact-place.ts'
import { listChangeRows, showChangeRows } from './symbol-changes.ts'

type Sides = {
  readonly before: ReadText
  readonly after: ReadText
  /** The event behind which the first side is as it is; null: it is a file. */
  readonly since: number | null
}

export async function compareArtifacts(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const { before, after, since } = await readSides(call, openArtifactPlace(call))
  const changes = listChangeRows(before, after)
  showChangeRows(out, changes)
  const isSame = before.artifact.hash === after.artifact.hash
  if (changes.length === 0)
    out.line(
      `${out.symbol(SYMBOLS.info)} ${isSame ? 'no difference' : 'no difference but in white space'}`,
    )
  const toSide = ({ artifact: { id, hash } }: ReadText) => ({ file: id, hash })
  out.data({ before: toSide(before), after: toSide(after), since, same: isSame, changes })
  return EXIT.done
}

async function readSides(call: CommandCall, place: ArtifactPlace): Promise<Sides> {
  const { args, options } = call
  const id = toArtifactId(place, getArgument(call, 0, 'A'))
  const other = args[1]
  if (other === undefined) {
    const { read, since } = await readSince(
      place,
      id,
      options.text('since') === undefined ? null : options.count('since', 0),
    )
    return { before: read, after: readText(place, id), since }
  }
  if (options.text('since') !== undefined)
    throw createUsageFailure('`--since` is for one file', 'name one file, or leave out `--since`')
  return {
    before: readText(place, id),
    after: readText(place, toArtifactId(place, other)),
    since: null,
  }
}

/** As the event left it; without one, as it was before the first that is recorded of it. */
async function readSince(
  place: ArtifactPlace,
  id: string,
  given: number | null,
): Promise<{ readonly read: ReadText; readonly since: number }> {
  const history = openHistory(place)
  const first = history.events.find(({ files }) => files.some((file) => file.id === id))
  if (first === undefined)
    throw new CliFailure({
      code: 'ARTIFACT_EVENT_UNKNOWN',
      summary: `nothing is recorded of \`${id}\``,
      fix: 'name two files to compare, or change it with `rubicon artifact apply` first',
    })
  // A file is known from its first event on; before that it was as that event found it.
  const since = given ?? first.seq - 1
  if (given !== null) unwrapHistory(await history.readAt(given))
  const hash = first.files.find((file) => file.id === id)?.before ?? null
  const bytes =
    since < first.seq
      ? hash === null
        ? null
        : unwrapHistory(await history.readBlob(hash))
      : unwrapHistory(await history.readFileAt(since, id))
  return { read: parseBytes(id, bytes ?? new Uint8Array()), since }
}
