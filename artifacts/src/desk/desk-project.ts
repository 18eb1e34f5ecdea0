/** The artifacts of a request as one project, and why one of them cannot be worked on. */
import { hash } from 'node:crypto'
import { err, ok, type Result, type Sha256 } from 'rubicon-kernel'
import type { JudgeValue } from '../delta/check-schema.ts'
import { isExternalName } from '../formats/external/external-name.ts'
import type { Format } from '../formats/format.ts'
import { FORMATS, findFormat } from '../formats/formats.ts'
import { Project } from '../project/project.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { DeskProblem } from './desk-answer.ts'
import type { DeskText } from './desk-text.ts'
import { judgeBySchema } from './judge-schema.ts'
import { readKept } from './kept-artifacts.ts'
import { TextPlaces } from './text-places.ts'

export const computeSha256: Sha256 = (data) => hash('sha256', data, 'buffer')

export type OpenText = {
  readonly artifact: string
  readonly format: Format
  readonly parsed: ParsedText
  /** Of a text with a schema. */
  readonly judge?: JudgeValue
}

export function findDeskFormat({ artifact, media }: DeskText): Format | undefined {
  const found = findFormat(artifact)
  if (found !== undefined || media === undefined) return found
  const format = FORMATS.find((one) => one.media === media)
  return format !== undefined && isExternalName(artifact) ? { ...format, isReadOnly: true } : format
}

/** What is on the desk is read, or the request is refused. */
export function openText(text: DeskText): Result<OpenText, DeskProblem> {
  const { artifact, schema } = text
  const format = findDeskFormat(text)
  if (format === undefined) return err(createUnreadable(text, 'no format reads it', null))
  const { parsed, problem } = readKept(artifact, text.text, format)
  if (parsed === null)
    return err(createUnreadable(text, problem?.detail ?? '', problem?.at?.start ?? null))
  if (schema === undefined) return ok({ artifact, format, parsed })
  const judge = judgeBySchema(schema)
  if (typeof judge === 'string')
    return err({ code: 'SCHEMA_VIOLATION', artifact, detail: `its schema is none: ${judge}` })
  return ok({ artifact, format, parsed, judge })
}

function createUnreadable(
  { artifact, text }: DeskText,
  detail: string,
  at: number | null,
): DeskProblem {
  return {
    code: 'ARTIFACT_UNREADABLE',
    artifact,
    detail,
    at: at === null ? null : new TextPlaces(text).find(at),
  }
}

/** What is no artifact of the request is unknown, not missing: nobody here can say what a package exports. */
export function openProject(texts: readonly DeskText[]): Project {
  const formats = new Map(texts.map((text) => [text.artifact, findDeskFormat(text)]))
  const artifacts = texts.map(({ artifact, text }) =>
    readKept(artifact, text, formats.get(artifact)),
  )
  return new Project(artifacts, {
    sha256: computeSha256,
    findExternal: (name) => ({ name, version: '', hash: '' }),
    findFormat: (name) => formats.get(name),
  })
}

/** Two texts of one name, and nobody could say which of them is meant. */
export function findTwice(texts: readonly DeskText[]): DeskProblem | null {
  const seen = new Set<string>()
  for (const { artifact } of texts) {
    if (seen.has(artifact))
      return { code: 'REQUEST_INVALID', artifact, detail: `\`${artifact}\` is there twice` }
    seen.add(artifact)
  }
  return null
}
