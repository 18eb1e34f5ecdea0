/**
 * `rubicon policy check [FILE…] [--rules MODULE]`: whether policies can be read, before a runtime has
 * to; and whether what they name exists, by the capabilities of the module, else by those that the
 * store records.
 */
import { existsSync } from 'node:fs'
import { err, type Failure, ok, type Policy, type Result } from 'rubicon-kernel'
import { listKnownCapabilities } from 'rubicon-runtime/compose'
import { readAuthority } from 'rubicon-runtime/engine/authority'
import {
  findPoliciesProblem,
  findUnknownNames,
  type KnownCapability,
  loadPolicy,
  type UnknownName,
} from 'rubicon-runtime/policies'
import { isPostgresAddress } from 'rubicon-runtime/ports'
import { nodeCrypto } from 'rubicon-verifier'
import { type CommandCall, createMissingFailure, type StorePlace } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, formatFailureLines } from './failure.ts'
import { parseSqlitePath, readFromStore } from './open.ts'
import { type Output, SYMBOLS } from './output.ts'
import { describeModule, loadRules, type RulesModule } from './rules-module.ts'

type Read = { readonly file: string; readonly read: Result<Policy, Failure> }

export async function checkPolicies({ args, options, place, out }: CommandCall): Promise<ExitCode> {
  const path = options.text('rules')
  if (args.length === 0 && path === undefined) throw createMissingFailure('FILE')
  const module = path === undefined ? null : await loadRules(path)
  const known =
    module === null
      ? await readRecordedCapabilities(place)
      : listKnownCapabilities(describeModule(module))
  const held = path !== undefined && args.length === 0 ? listModulePolicies(path, module) : null
  const files: { readonly ok: boolean }[] = []
  for (const { file, read } of held ?? (await readFiles(args)))
    files.push(read.ok ? showRead(out, file, read.value, known) : showUnread(out, file, read.error))
  if (known === null)
    out.note(
      `${SYMBOLS.info} not checked: whether actions and parameters exist (--rules MODULE, or --store of a ledger with rules)`,
    )
  const isOk = files.every(({ ok }) => ok)
  out.data({ ok: isOk, files })
  return isOk ? EXIT.done : EXIT.findings
}

async function readFiles(files: readonly string[]): Promise<readonly Read[]> {
  const all: Read[] = []
  for (const file of files) {
    const read = await loadPolicy(file, { sha256: nodeCrypto.sha256 })
    if (!read.ok && read.error.code === 'FILE_UNREADABLE') throw new CliFailure(read.error)
    // What a runtime would refuse is refused here, before it is asked to.
    const problem = read.ok ? findPoliciesProblem([read.value]) : null
    all.push({ file, read: problem === null ? read : err(problem) })
  }
  return all
}

/** A module that was loaded has policies that can be read, in whatever form. */
function listModulePolicies(path: string, module: RulesModule | null): readonly Read[] {
  return (module?.policies ?? []).map((policy) => ({ file: path, read: ok(policy) }))
}

/** Null: there is no store, or nothing is recorded in it. */
async function readRecordedCapabilities(
  place: StorePlace,
): Promise<readonly KnownCapability[] | null> {
  const path = parseSqlitePath(place.store)
  if (!isPostgresAddress(place.store) && (path === undefined || !existsSync(path))) return null
  const { rules } = await readFromStore(place, readAuthority)
  return rules === null ? null : listKnownCapabilities(rules.capabilities)
}

function showRead(
  out: Output,
  file: string,
  policy: Policy,
  known: readonly KnownCapability[] | null,
): { readonly ok: boolean } {
  const { name, version, rules = [] } = policy
  const unknown = known === null ? null : findUnknownNames(policy, known)
  const isOk = unknown === null || unknown.length === 0
  const symbol = out.symbol(isOk ? SYMBOLS.allowed : SYMBOLS.rejected)
  out.line(`${symbol} ${escapeText(`${file}: ${name} ${version}`)}`)
  for (const { id, line } of rules) out.line(`  line ${line}  ${escapeText(id)}`)
  const unnamed = rules.filter(({ id }) => UNNAMED.test(id)).map(({ line }) => line)
  if (unnamed.length > 0)
    out.note(
      `${SYMBOLS.info} no \`@id("…")\` stands at line ${unnamed.join(', ')} of ${escapeText(file)}: records and refusals count such rules, as rule-1`,
    )
  for (const one of unknown ?? [])
    out.line(`  ${out.symbol(SYMBOLS.rejected)} ${escapeText(formatUnknownName(one))}`)
  const checked = { file, ok: isOk, name, version, rules, unknown }
  return checked
}

/** What a rule without `@id` is called. */
const UNNAMED = /^rule-[0-9]+$/

function formatUnknownName({ line, rule, name, why }: UnknownName): string {
  const where = line === null ? 'applies_to' : `line ${line}, ${rule}`
  return `${where}: \`${name}\`: ${why}`
}

function showUnread(out: Output, file: string, error: Failure): { readonly ok: boolean } {
  for (const line of formatFailureLines(error)) out.line(line)
  const unread = { file, ok: false, error }
  return unread
}
