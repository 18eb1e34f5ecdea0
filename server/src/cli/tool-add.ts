/** `rubicon tool add MANIFEST [--tools FILE]`: lists a manifest; what it may do is left to whoever answers for it. */
import { addTool, listDestinations, listSecretNames } from 'rubicon-runtime/tools'
import { type CommandCall, getArgument } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { unwrap } from './failure.ts'
import { SYMBOLS } from './output.ts'
import { findRegistrationProblem } from './tool-check.ts'
import { DEFAULT_TOOLS_FILE } from './tool-list.ts'

export async function addToolFile(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const tools = options.text('tools') ?? DEFAULT_TOOLS_FILE
  const path = getArgument(call, 0, 'MANIFEST')
  const { manifest, file, created, denied } = unwrap(
    await addTool(path, tools, findRegistrationProblem),
  )
  const { kind } = manifest
  const where = `${tools}${created ? ', which is new and allows nothing' : ''}`
  out.line(`${out.symbol(SYMBOLS.allowed)} ${escapeText(`${kind} is listed in ${where}`)}`)
  for (const { pointer, detail } of denied)
    out.line(`  ${out.symbol(SYMBOLS.waiting)} ${escapeText(`${pointer}: ${detail}`)}`)
  if (denied.length > 0)
    out.note(`${SYMBOLS.info} allow it in ${escapeText(tools)}: until then the file does not load`)
  const to_allow = denied.map(({ pointer, code, detail }) => ({ pointer, code, detail }))
  const goes_to = listDestinations(manifest)
  const secrets = listSecretNames(manifest)
  out.data({ tools, created, file, kind, goes_to, secrets, allowed: denied.length === 0, to_allow })
  return EXIT.done
}
