/** A manifest from its file. What it may do is not looked at here. */
import {
  err,
  type Failure,
  type JsonValue,
  ok,
  parseJson,
  parseManifest,
  type Result,
  type ToolManifest,
} from 'rubicon-kernel'
import {
  type DocumentKind,
  readDocument,
  readDocumentText,
} from '../contract-file/read-document.ts'

const MANIFEST: DocumentKind<JsonValue> = {
  word: 'tool manifest',
  code: 'MANIFEST_INVALID',
  parse: ok,
}

export async function readManifest(path: string): Promise<Result<ToolManifest, Failure>> {
  const document = await readManifestFile(path)
  return document.ok ? parsePlacedManifest(document.value, path) : document
}

/** What was read from a file, with the file in what is said of it. */
export function parsePlacedManifest(
  document: JsonValue,
  path: string,
): Result<ToolManifest, Failure> {
  const manifest = parseManifest(document)
  return manifest.ok ? manifest : err(placeFailure(manifest.error, path))
}

/** YAML, or JSON, of which a hundred are read in the time of ten. What it says is judged by the kernel. */
export async function readManifestFile(path: string): Promise<Result<JsonValue, Failure>> {
  if (!path.endsWith('.json')) return readDocument(MANIFEST, path)
  const text = await readDocumentText(MANIFEST, path)
  if (!text.ok) return text
  const document = parseJson(text.value)
  if (document.ok) return document
  const { code, at, detail } = document.error
  return err({
    code: MANIFEST.code,
    summary: `${path}: ${detail} (character ${at})`,
    why: code,
    fix: 'correct the file',
  })
}

/** The kernel knows no files. */
function placeFailure({ meta, ...failure }: Failure, path: string): Failure {
  const all: readonly unknown[] = Array.isArray(meta?.problems) ? meta.problems : []
  const problems = all.map((detail) => ({ path: '', detail: String(detail) }))
  return { ...failure, summary: `${path}: ${failure.summary}`, meta: { ...meta, problems } }
}
