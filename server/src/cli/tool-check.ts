/** `rubicon tool check FILE…`: manifests and tools files, judged as loading would, to the last problem. */
import type { Failure, ToolManifest } from 'rubicon-kernel'
import { findToolProblem } from 'rubicon-runtime/capabilities'
import { type InspectedTool, inspectFile } from 'rubicon-runtime/tools'
import { nodeCrypto } from 'rubicon-verifier'
import type { CommandCall } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { type Output, SYMBOLS } from './output.ts'

type CheckedTool = { readonly file: string; readonly kind: string; readonly version: string }
type Found = { readonly file: string; readonly failure: Failure }

/** As a runtime would register it. */
export function findRegistrationProblem(manifest: ToolManifest): Failure | null {
  return findToolProblem(manifest, nodeCrypto.sha256)
}

export async function checkTools({ args, out }: CommandCall): Promise<ExitCode> {
  const tools: CheckedTool[] = []
  const found: Found[] = []
  let isAllowedChecked = true
  for (const file of args) {
    const { kind, read } = await inspectFile(file, findRegistrationProblem)
    if (!read.ok) found.push({ file, failure: read.error })
    else if (kind === 'manifest') {
      isAllowedChecked = false
      tools.push(showTool(out, file, read.value))
    } else {
      found.push(...listFound(file, read.value.tools))
      for (const { file: listed, manifest, failure } of read.value.tools)
        if (manifest !== null && failure === null) tools.push(showTool(out, listed, manifest))
    }
  }
  if (found.length > 0) throw createRefusal(found)
  if (!isAllowedChecked)
    out.note(
      `${SYMBOLS.info} not checked: whether manifests are allowed what they do (check the tools file)`,
    )
  out.data({ ok: true, tools })
  return EXIT.done
}

function showTool(out: Output, file: string, { kind, version }: ToolManifest): CheckedTool {
  out.line(`${out.symbol(SYMBOLS.allowed)} ${escapeText(`${file}: ${kind} ${version}`)}`)
  return { file, kind, version }
}

function listFound(file: string, tools: readonly InspectedTool[]): readonly Found[] {
  return tools.flatMap((tool) =>
    tool.failure === null ? [] : { file: `${file}: ${tool.file}`, failure: tool.failure },
  )
}

/** One refusal is told as it is; of several, every problem with its file. */
function createRefusal(found: readonly Found[]): CliFailure {
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return new CliFailure(first.failure)
  const codes = new Set(found.map(({ failure }) => failure.code))
  const [code = 'TOOLS_INVALID'] = codes
  return new CliFailure({
    code: codes.size === 1 ? code : 'TOOLS_INVALID',
    summary: `${found.length} tools or files cannot be loaded`,
    fix: 'correct the places named; a tools file loads whole or not at all',
    meta: { problems: found.flatMap(listPlaced) },
  })
}

/** A place in a text has its file; others are told which it is. */
function listPlaced({ file, failure }: Found): readonly object[] {
  const { meta, code, summary } = failure
  const all: readonly unknown[] = Array.isArray(meta?.problems) ? meta.problems : []
  const problems = all.filter((one) => typeof one === 'object' && one !== null)
  if (problems.length === 0) return [{ path: file, detail: `${code}: ${summary}` }]
  return problems.map((one) => {
    if ('file' in one) return one
    const path = 'path' in one && one.path !== '' ? `${file}: ${String(one.path)}` : file
    return { path, detail: 'detail' in one ? String(one.detail) : summary }
  })
}
