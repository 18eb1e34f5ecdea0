/**
 * Says of a text that somebody made by an edit whether it is read: sources by TypeScript's parser, values by the values that they are,
 * documents by their headings. Of a rename it says what TypeScript's language service makes of it.
 */
import { isDeepStrictEqual } from 'node:util'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import ts from 'typescript'
import { unified } from 'unified'
import { parseAllDocuments } from 'yaml'
import { RenameService } from './rename-service.ts'
import { type Asked, type AskedEdit, serve } from './serve.ts'

type Judged = {
  readonly isRead: boolean | null
  readonly detail?: string
  readonly expected?: string | null
  readonly sites?: readonly number[]
}

const renames = new RenameService()

function judgeSource(asked: Asked): object {
  const [before] = listMistakes(asked.name, asked.text)
  const mistake =
    before === undefined ? null : ts.flattenDiagnosticMessageText(before.messageText, ' ')
  const results = asked.edits.map((edit): Judged => {
    const renamed = edit.op === 'rename' ? renames.rename(asked.name, asked.text, edit) : {}
    if (edit.after == null) return { isRead: null, ...renamed }
    const [first] = listMistakes(asked.name, edit.after)
    return first === undefined
      ? { isRead: true, ...renamed }
      : {
          isRead: false,
          detail: ts.flattenDiagnosticMessageText(first.messageText, ' '),
          ...renamed,
        }
  })
  return { mistake, results }
}

function listMistakes(name: string, text: string): readonly ts.Diagnostic[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false)
  // It has them, and its types do not say so.
  return Reflect.get(file, 'parseDiagnostics') as readonly ts.Diagnostic[]
}

type ReadValue = (text: string) => unknown

/** Null: it is a source. */
function chooseJudge(name: string): ReadValue | null {
  if (
    /(?:^|\/)[jt]sconfig\.(?:[^/]+\.)?json$|tsconfig\.json$|\.jsonc$|\.code-workspace$/u.test(name)
  )
    return (text) => ts.parseConfigFileTextToJson(name, text).config
  if (name.endsWith('.json')) return (text) => JSON.parse(text.replace(/^\uFEFF/u, ''))
  if (/\.ya?ml$/u.test(name)) return readYaml
  return /\.(?:md|markdown)$/u.test(name) ? listHeadings : null
}

function readYaml(text: string): unknown {
  const [document, ...more] = parseAllDocuments(text)
  if (document === undefined || more.length > 0 || document.errors.length > 0)
    throw new Error('it is not one document')
  return document.toJS({ maxAliasCount: -1 })
}

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter)

function listHeadings(text: string): readonly string[] {
  return markdown
    .parse(text)
    .children.flatMap((node) =>
      node.type === 'heading'
        ? [text.slice(node.position?.start.offset, node.position?.end.offset).split('\n')[0] ?? '']
        : [],
    )
    .map((title) => title.trim())
}

function judgeValues({ name, text, edits }: Asked, read: ReadValue): object {
  let old: unknown
  try {
    old = read(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { mistake: why, results: edits.map(() => ({ isRead: null })) }
  }
  const isDocument = read === listHeadings
  const results = edits.map((edit): Judged => {
    if (edit.after == null) return { isRead: null }
    try {
      const now = read(edit.after)
      const isRead = isDocument
        ? hasHeadings(old as readonly string[], now as readonly string[], text, edit)
        : isDeepStrictEqual(now, changeValue(old, edit))
      return isRead ? { isRead } : { isRead, detail: `${name} says something else` }
    } catch (error) {
      return { isRead: false, detail: error instanceof Error ? error.message : String(error) }
    }
  })
  return { mistake: null, results }
}

/** The value before, with one member of it changed. */
function changeValue(old: unknown, { op, keys, value }: AskedEdit): unknown {
  const copy: unknown = structuredClone(old)
  let holder = copy
  for (const key of keys.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[key]
  const last = keys.at(-1) ?? ''
  if (op === 'remove' && Array.isArray(holder)) holder.splice(Number(last), 1)
  else if (op === 'remove') delete (holder as Record<string | number, unknown>)[last]
  else (holder as Record<string | number, unknown>)[last] = value
  return copy
}

/** Headings of the edited part go and come; all others stay in their order. */
function hasHeadings(
  old: readonly string[],
  now: readonly string[],
  text: string,
  { op, own, text: put }: AskedEdit,
): boolean {
  const before = listHeadings(text.slice(0, own[0])).length
  const inside = listHeadings(text.slice(own[0], own[1])).length
  if (op === 'add') {
    const [title = ''] = put.split('\n')
    const at = before + inside
    return isDeepStrictEqual(now, [...old.slice(0, at), title, ...old.slice(at)])
  }
  const kept = op === 'replace' ? 1 : 0
  return isDeepStrictEqual(now, [...old.slice(0, before + kept), ...old.slice(before + inside)])
}

// Behind all that it needs: a module that waits goes no further.
await serve((asked) => {
  const read = chooseJudge(asked.name)
  return read === null ? judgeSource(asked) : judgeValues(asked, read)
})
