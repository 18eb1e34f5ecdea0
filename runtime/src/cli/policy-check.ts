/** `rubicon policy check FILE…`: whether policies can be read, before a runtime has to. */
import { nodeCrypto } from 'rubicon-verifier'
import { loadPolicyFile } from '../policies/policy-file.ts'
import { type Call, missing } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, failureText } from './failure.ts'
import { SYMBOLS } from './output.ts'

export async function checkPolicies({ args, out }: Call): Promise<ExitCode> {
  if (args.length === 0) throw missing('FILE')
  const files: object[] = []
  let ok = true
  for (const file of args) {
    const read = await loadPolicyFile(file, nodeCrypto.sha256)
    if (!read.ok && read.error.code === 'FILE_UNREADABLE') throw new CliFailure(read.error)
    ok &&= read.ok
    if (read.ok) {
      const { name, version, rules = [] } = read.value
      out.line(`${out.symbol(SYMBOLS.allowed)} ${escapeText(`${file}: ${name} ${version}`)}`)
      for (const { id, line } of rules) out.line(`  line ${line}  ${escapeText(id)}`)
      files.push({ file, ok: true, name, version, rules })
    } else {
      out.line(failureText(read.error).trimEnd())
      files.push({ file, ok: false, error: read.error })
    }
  }
  out.data({ ok, files })
  return ok ? EXIT.done : EXIT.findings
}
