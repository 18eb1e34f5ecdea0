/**
 * Brings a name of another module in. Imports are a region that is derived from what the rest of a text needs: whoever needs one adds it,
 * two who add the same one do not meet, and nobody claims a line of it.
 *
 * I1 a name that is there as it is asked for is no change.
 * I2 a name that stands for something else is not taken.
 * I3 every name that was imported is imported behind it; what is imported for its effect alone is not touched.
 */
import { err, ok, type Result } from 'rubicon-kernel'
import type { Format } from '../../formats/format.ts'
import type { Splice } from '../../text/splice.ts'
import { listTokens } from '../../tree/list-tokens.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { Delta } from '../delta.ts'
import { finishPlan } from '../finish-plan.ts'
import type { DeltaProblem, Plan, PlanResult } from '../plan.ts'
import { addName } from './add-name.ts'
import { readImportStyle } from './import-style.ts'
import { placeImport } from './place-import.ts'
import { type ImportDeclaration, listImported, readImports } from './read-imports.ts'

type AddImport = Extract<Delta, { op: 'addImport' }>

/** What is asked for, checked. */
type Wanted = {
  readonly from: string
  readonly imported: string
  readonly local: string
  readonly isType: boolean
}

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u
// No quote, backslash or line break: it is written between quotes as it is.
const SOURCE = /^[^'"`\\\p{C}\p{Z}]+$/u

export function planAddImport(parsed: ParsedText, delta: AddImport, format: Format): PlanResult {
  if (format.imports !== 'ecmascript')
    return err({ code: 'TARGET_UNFIT', detail: 'there are no imports in this format' })
  const wanted = readWanted(delta)
  if (!wanted.ok) return wanted
  const imports = readImports(parsed)
  const known = findKnown(parsed, imports, wanted.value)
  if (!known.ok) return known
  const problem = known.value === null ? checkModule(parsed) : null
  if (problem !== null) return err(problem)
  const change = known.value ?? buildChange(parsed, imports, wanted.value)
  const planned = finishPlan(parsed, change.splices, format, { around: change.around })
  return planned.ok ? checkImports(imports, planned.value, wanted.value) : planned
}

function readWanted(delta: AddImport): Result<Wanted, DeltaProblem> {
  const { from, name, as } = delta
  const local = as ?? name
  const refuseText = (detail: string) => err({ code: 'FRAGMENT_INVALID', detail } as const)
  if (!SOURCE.test(from)) return refuseText('the name of a module has no quotes and no white space')
  if (!NAME.test(local) || local === 'default')
    return refuseText('an import is known by a name: say which with `as`')
  if (name !== '*' && !NAME.test(name))
    return refuseText('this is no name that a module can export')
  return ok({ from, imported: name, local, isType: delta.type_only === true })
}

type Change = { readonly splices: readonly Splice[]; readonly around: string | null }

/** Null: the name is free. */
function findKnown(
  parsed: ParsedText,
  imports: readonly ImportDeclaration[],
  { from, imported, local, isType }: Wanted,
): Result<Change | null, DeltaProblem> {
  const refuseName = (detail: string) => err({ code: 'NAME_TAKEN', detail } as const)
  for (const declaration of imports) {
    const name = listImported(declaration).find((one) => one.local === local)
    if (name === undefined) continue
    const { symbol, typeWord } = declaration
    if (declaration.from !== from || name.imported !== imported)
      return refuseName(`\`${local}\` is \`${name.imported}\` of \`${declaration.from}\``)
    if (!name.isType || isType) return ok({ splices: [], around: null })
    // It was a type only, and is used as a value now.
    const isAlone = listImported(declaration).length === 1
    const word = typeWord === null ? name.start : isAlone ? typeWord.start : null
    if (word === null) return refuseName(`\`${local}\` is imported as a type together with others`)
    const cut = /^type\s+/u.exec(parsed.text.slice(word))?.[0].length ?? 0
    return ok({ splices: [{ start: word, end: word + cut, text: '' }], around: symbol.path })
  }
  const other = parsed.symbols.find(({ kind, name, nameSpan, own, body }) => {
    if (kind === 'import' || kind === 'statement' || kind === 'directive') return false
    return nameSpan === null ? listTokens(parsed, own, body).includes(local) : name === local
  })
  return other === undefined ? ok(null) : refuseName(`\`${local}\` is \`${other.path}\``)
}

/** An import makes a module of a script that others load with `require`. */
function checkModule(parsed: ParsedText): DeltaProblem | null {
  const isModule = parsed.symbols.some(({ kind }) => kind === 'import' || kind.startsWith('export'))
  if (isModule) return null
  const tokens = listTokens(parsed, { start: 0, end: parsed.text.length })
  const isCommon = tokens.some((token, i) => {
    const next = tokens[i + 1]
    return (
      (token === 'require' && next === '(') ||
      (token === 'exports' && (next === '.' || next === '=' || tokens[i - 1] === '.'))
    )
  })
  return isCommon
    ? { code: 'TARGET_UNFIT', detail: 'it is a script that loads others with `require`' }
    : null
}

function buildChange(
  parsed: ParsedText,
  imports: readonly ImportDeclaration[],
  wanted: Wanted,
): Change {
  const { from, imported, local, isType } = wanted
  const style = readImportStyle(parsed, imports)
  const same = imports.filter((one) => one.from === from && !one.hasAttributes)
  const name = imported === local ? local : `${imported} as ${local}`
  const changeInside = (declaration: ImportDeclaration, splices: readonly Splice[]): Change => ({
    splices,
    around: declaration.symbol.path,
  })
  if (imported !== '*' && imported !== 'default') {
    const values = same.find((one) => !one.isType && (one.named?.names.length ?? 0) > 0)
    const types = same.find((one) => one.isType && (one.named?.names.length ?? 0) > 0)
    const isInline = isType && types === undefined && style.hasInlineTypes
    const into = isType && !isInline ? types : values
    if (into?.named != null) {
      const text = isInline ? `type ${name}` : name
      return changeInside(into, addName(parsed, into.named, { text, imported }))
    }
    const bare = same.find((one) => !one.isType && one.named === null && one.namespace === null)
    if (bare?.standard != null && (!isType || isInline)) {
      const at = bare.standard.end
      const text = `, ${style.brace(isInline ? `type ${name}` : name)}`
      return changeInside(bare, [{ start: at, end: at, text }])
    }
    const clause = style.brace(isInline ? `type ${name}` : name)
    const word = isType && !isInline ? 'type ' : ''
    return {
      splices: [placeImport(parsed, from, style.write(`${word}${clause}`, from))],
      around: null,
    }
  }
  const open = same.find((one) => !one.isType && one.named !== null && one.standard === null)
  const isOpen = imported === 'default' && !isType && (open?.named?.names.length ?? 0) > 0
  if (isOpen && open?.named != null) {
    const at = open.named.start
    const gap = /\s/u.test(parsed.text[at - 1] ?? '') ? '' : ' '
    return changeInside(open, [{ start: at, end: at, text: `${gap}${local}, ` }])
  }
  const clause = `${isType ? 'type ' : ''}${imported === '*' ? `* as ${local}` : local}`
  return { splices: [placeImport(parsed, from, style.write(clause, from))], around: null }
}

/** I3, and that what was asked for is there. */
function checkImports(
  before: readonly ImportDeclaration[],
  plan: Plan,
  { from, imported, local, isType }: Wanted,
): PlanResult {
  const now = readImports(plan.after).flatMap((declaration) =>
    listImported(declaration).map((name) => ({ ...name, from: declaration.from })),
  )
  const isThere = now.some(
    (one) =>
      one.from === from &&
      one.imported === imported &&
      one.local === local &&
      (isType || !one.isType),
  )
  const isKept = before.every((declaration) =>
    listImported(declaration).every((name) =>
      now.some(
        (one) =>
          one.from === declaration.from &&
          one.imported === name.imported &&
          one.local === name.local &&
          (one.isType === name.isType || one.local === local),
      ),
    ),
  )
  if (isThere && isKept) return ok(plan)
  return err({
    code: 'TARGET_UNFIT',
    detail: `\`${local}\` of \`${from}\` cannot be put among the imports`,
  })
}
