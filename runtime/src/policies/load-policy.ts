/**
 * The one way by which a policy comes in, whoever takes it: the library, a rules module, `policy
 * check`, the playground. What is in a file or is Cedar is pinned by its bytes; a function in code
 * cannot be, and says so.
 */
import { readFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  decodeUtf8,
  encodeHex,
  encodeUtf8,
  err,
  type Failure,
  ok,
  type Policy,
  type Result,
  type Sha256,
} from 'rubicon-kernel'
import { type CedarPolicy, createCedarDraft, createCedarPolicy } from './cedar.ts'
import {
  type CedarText,
  isCedarText,
  type PolicyForm,
  parseWritten,
  pinPolicy,
} from './policy-form.ts'
import { findHiddenText, findSilentRule, type SilentText } from './silent-text.ts'

export type LoadOptions = {
  readonly sha256: Sha256
  /** Where paths begin; the folder of the process when nobody says. */
  readonly folder?: string
}

/** What is given is anything: it may come from a module that nobody has checked. */
export async function loadPolicy(
  form: PolicyForm,
  { sha256, folder = '.' }: LoadOptions,
): Promise<Result<Policy, Failure>> {
  if (typeof form !== 'string') return loadWritten(form, sha256)
  if (!isCedarText(form)) return loadFile(form, resolve(folder, form), sha256)
  const name = `cedar-${encodeHex(sha256(encodeUtf8(form.toWellFormed()))).slice(0, 12)}`
  return takeCedar({ name, text: form }, (cedar) => loadCedar(cedar, sha256))
}

/** In their order; the first that cannot be loaded stops it. */
export async function loadPolicies(
  forms: readonly PolicyForm[],
  options: LoadOptions,
): Promise<Result<readonly Policy[], Failure>> {
  const policies: Policy[] = []
  for (const form of forms) {
    const loaded = await loadPolicy(form, options)
    if (!loaded.ok) return loaded
    policies.push(loaded.value)
  }
  return ok(policies)
}

/** Cedar that is only tried: nothing of it stays in the evaluator that decides. */
export function draftPolicy(
  cedar: { readonly name: string; readonly text: string },
  sha256: Sha256,
): Result<CedarPolicy, Failure> {
  return takeCedar(cedar, (taken) => createCedarDraft({ ...taken, version: 'draft' }, sha256))
}

function loadWritten(form: unknown, sha256: Sha256): Result<Policy, Failure> {
  const written = parseWritten(form)
  if (written === null)
    return err({
      code: 'POLICY_INVALID',
      summary: 'what is given as a policy is none',
      why: 'it is neither a path, nor Cedar text with a name, nor an object with `name`, `version` and `evaluate`',
      fix: "give 'desk.cedar', { name: 'desk', text: '…' } or { name, version, evaluate }",
    })
  if (written.kind === 'function') return ok(written.policy)
  return takeCedar(written.cedar, (cedar) => loadCedar(cedar, sha256))
}

/** Cedar that somebody gives, and that says what it seems to say. */
function takeCedar<C extends CedarText, P>(
  cedar: C,
  load: (cedar: C) => Result<P, Failure>,
): Result<P, Failure> {
  const hidden = findHiddenText(cedar.text)
  if (hidden !== null) return err(createSilentFailure(cedar, hidden))
  const loaded = load(cedar)
  const said = loaded.ok ? findSilentRule(cedar.text) : null
  return said === null ? loaded : err(createSilentFailure(cedar, said))
}

function createSilentFailure({ name }: CedarText, { line, why }: SilentText): Failure {
  const summary = `policy \`${name}\` says less than it seems to: ${why}`
  const problems = [{ line, column: 1, path: '', detail: why }]
  return { code: 'POLICY_INVALID', summary, fix: 'correct the Cedar text', meta: { problems } }
}

/** Cedar that stays, also as a ledger has it: its set is kept by the evaluator that decides. */
export function loadCedar(named: CedarText, sha256: Sha256): Result<Policy, Failure> {
  const options = { version: '1', ...named }
  // Tried first where it breaks nothing: a text that is nested too deeply breaks its evaluator.
  const tried = createCedarDraft(options, sha256)
  return tried.ok ? createCedarPolicy(options, sha256) : tried
}

async function loadFile(
  path: string,
  absolute: string,
  sha256: Sha256,
): Promise<Result<Policy, Failure>> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(absolute)
  } catch {
    return err({
      code: 'FILE_UNREADABLE',
      summary: `\`${path}\` cannot be read`,
      fix: 'check the path; Cedar text has a line break, or ends with `;`',
    })
  }
  const name = basename(path, extname(path))
  if (extname(path) === '.cedar') {
    const text = decodeUtf8(bytes)
    // What cannot be decoded would be replaced, and a rule that names it would never speak.
    if (text === undefined)
      return err(createSilentFailure({ name, text: '' }, { line: 1, why: 'it is not UTF-8' }))
    return takeCedar({ name, text: stripByteOrderMark(text) }, (cedar) => loadCedar(cedar, sha256))
  }
  const module = await importModule(absolute)
  if (!module.ok)
    return err({ code: 'POLICY_INVALID', summary: `\`${path}\` cannot be loaded: ${module.error}` })
  const written = parseWritten(getExportedPolicy(module.value))
  if (written?.kind !== 'function')
    return err({
      code: 'POLICY_INVALID',
      summary: `\`${path}\` does not export a \`policy\``,
      fix: 'export const policy = { name, version, evaluate }',
    })
  const hash = `sha256:${encodeHex(sha256(bytes))}`
  return ok(pinPolicy(written.policy, { kind: 'file', language: 'typescript', hash }))
}

/** Editors put a byte order mark before a text; it is no part of what is said. */
function stripByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

async function importModule(path: string): Promise<Result<unknown, string>> {
  try {
    return ok(await import(pathToFileURL(path).href))
  } catch (cause) {
    if (!(cause instanceof Error)) return err(String(cause))
    // Where a module cannot be parsed, Node writes the place before everything else.
    const line = (cause.stack ?? '').split('\n', 1)[0]?.match(/:(\d+)$/)?.[1]
    return err(line === undefined ? cause.message : `line ${line}: ${cause.message}`)
  }
}

function getExportedPolicy(module: unknown): unknown {
  return typeof module === 'object' && module !== null && 'policy' in module ? module.policy : null
}
