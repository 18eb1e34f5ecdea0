/**
 * Loads the rules of a project as a server would, and says where they cannot be taken. In a process of its own: what was
 * imported once is never read again, nor is anything that it imports.
 */
import { registerHooks } from 'node:module'
import { basename, extname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { encodeHex, encodeUtf8, toCanonicalText } from 'rubicon-kernel'
import { buildRules, listKnownCapabilities } from 'rubicon-runtime/compose'
import { findPoliciesProblem, findUnknownNames, loadPolicy } from 'rubicon-runtime/policies'
import { nodeCrypto } from 'rubicon-verifier'
import { describeError } from '../failure.ts'
import { describeModule, loadRules, type RulesModule } from '../rules-module.ts'
import { isCode, listCedarFiles } from './scan-project.ts'
import type { DevProblem, RulesSummary } from './worker-messages.ts'

export type LoadedProject = {
  readonly rules: RulesModule
  readonly summary: RulesSummary
  readonly problems: readonly DevProblem[]
}

const NO_RULES: RulesModule = { capabilities: [], policies: [] }

/** The files of the folder that are loaded as code from now on. */
export function recordLoadedFiles(folder: string): ReadonlySet<string> {
  const loaded = new Set<string>()
  const prefix = `${pathToFileURL(folder).href}/`
  registerHooks({
    load(url, context, nextLoad) {
      if (url.startsWith(prefix)) loaded.add(toProjectPath(folder, fileURLToPath(url)))
      return nextLoad(url, context)
    },
  })
  return loaded
}

export async function loadProject(
  folder: string,
  path: string | null,
  loaded: ReadonlySet<string>,
): Promise<LoadedProject> {
  if (path === null) return { rules: NO_RULES, summary: summariseRules(NO_RULES), problems: [] }
  const refuse = (problems: readonly DevProblem[]): LoadedProject => ({
    rules: NO_RULES,
    summary: summariseRules(NO_RULES),
    problems,
  })
  const broken = isCode(path) ? await findImportProblem(folder, path, loaded) : null
  if (broken !== null) return refuse([broken])
  try {
    const rules = await loadRules(path)
    const problems = await findRulesProblems(folder, path, rules)
    return problems.length === 0
      ? { rules, summary: summariseRules(rules), problems }
      : refuse(problems)
  } catch (error) {
    const culprits = await findCedarProblems(folder)
    return refuse(culprits.length > 0 ? culprits : [toProblem(folder, path, error)])
  }
}

/** What is imported by whom is told by the stack, where there is one. */
async function findImportProblem(
  folder: string,
  path: string,
  loaded: ReadonlySet<string>,
): Promise<DevProblem | null> {
  try {
    await import(pathToFileURL(path).href)
    return null
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const place = /(file:\/\/[^\s)]+?):(\d+)(?::\d+)?\)?$/m.exec(stack)
    const detail = message.replaceAll(`${folder}/`, '')
    if (place?.[1]?.startsWith(`${pathToFileURL(folder).href}/`) === true)
      return {
        file: toProjectPath(folder, fileURLToPath(place[1])),
        line: Number(place[2]),
        detail,
      }
    const last = [...loaded].at(-1) ?? toProjectPath(folder, path)
    return { file: last, line: null, detail }
  }
}

/** As a runtime would refuse them, and what `rubicon policy check` finds beside. */
async function findRulesProblems(
  folder: string,
  path: string,
  rules: RulesModule,
): Promise<readonly DevProblem[]> {
  const file = toProjectPath(folder, path)
  const unfit = findPoliciesProblem(rules.policies)
  if (unfit !== null) return [{ file, line: null, detail: unfit.summary }]
  // Throws what a runtime refuses when it starts.
  buildRules(rules.capabilities, rules.policies, rules.topologies, rules.topics)
  const known = listKnownCapabilities(describeModule(rules))
  const cedar = new Map(listCedarFiles(folder).map((one) => [basename(one, extname(one)), one]))
  return rules.policies.flatMap((policy) =>
    findUnknownNames(policy, known).map(({ line, name, why }) => ({
      file: cedar.get(policy.name) ?? file,
      line,
      detail: `unknown name \`${name}\`: ${why}`,
    })),
  )
}

/** The first Cedar file that cannot be read stops everything; each of them is named. */
async function findCedarProblems(folder: string): Promise<readonly DevProblem[]> {
  const problems: DevProblem[] = []
  for (const file of listCedarFiles(folder)) {
    const read = await loadPolicy(join(folder, file), { sha256: nodeCrypto.sha256 })
    if (read.ok) continue
    const [, line, detail] = /line (\d+), column \d+: (.*)$/s.exec(read.error.summary) ?? []
    problems.push({
      file,
      line: line === undefined ? null : Number(line),
      detail: detail ?? read.error.summary,
    })
  }
  return problems
}

function toProblem(folder: string, path: string, error: unknown): DevProblem {
  const { summary, why } = describeError(error).failure
  const detail = why === undefined || why === '' ? summary : `${summary}: ${why}`
  return { file: toProjectPath(folder, path), line: null, detail }
}

function summariseRules(rules: RulesModule): RulesSummary {
  const described = rules.capabilities.length === 0 ? [] : describeModule(rules)
  return {
    capabilities: Object.fromEntries(
      described.map((one) => [one.kind, hashValue(toCanonicalText({ ...one }))]),
    ),
    policies: Object.fromEntries(
      rules.policies.map((policy) => [
        policy.name,
        hashValue(`${policy.version}\n${policy.text ?? ''}\n${JSON.stringify(policy.source)}`),
      ]),
    ),
  }
}

function hashValue(value: string): string {
  return encodeHex(nodeCrypto.sha256(encodeUtf8(value)))
}

function toProjectPath(folder: string, path: string): string {
  return relative(folder, path).replaceAll('\\', '/')
}
