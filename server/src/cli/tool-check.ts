/** `rubicon tool check FILE…`: manifests and tools files, judged as loading would, to the last problem. */
import type { Failure, ToolManifest } from 'rubicon-kernel'
import { findToolProblem } from 'rubicon-runtime/capabilities'
import { type InspectedTool, inspectFile } from 'rubicon-runtime/tools'
import { nodeCrypto } from 'rubicon-verifier'
import type { CommandCall } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, formatFailureLines } from './failure.ts'
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
  const [first] = found
  // As with contracts: one of several must not hide what is said of the others.
  if (first?.failure.code === 'FILE_UNREADABLE' && args.length === 1 && first.file === args[0])
    throw new CliFailure(first.failure)
  for (const one of found) for (const line of formatRefusal(one)) out.line(line)
  if (!isAllowedChecked)
    out.note(
      `${SYMBOLS.info} not checked: whether manifests are allowed what they do (check the tools file)`,
    )
  const ok = found.length === 0
  const refused = found.map(({ file, failure }) => ({ file, error: failure }))
  out.data({ ok, tools, refused })
  return ok ? EXIT.done : EXIT.findings
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

/** With its file, which not every refusal names by itself. */
function formatRefusal({ file, failure }: Found): readonly string[] {
  return formatFailureLines({ ...failure, summary: `${file}: ${failure.summary}` })
}
