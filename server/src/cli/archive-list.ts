/** `rubicon archive list`: which files hold payloads of this store. */
import { listNamedArchives } from 'rubicon-runtime/evidence/archive'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { readFromStore } from './open.ts'
import { formatTable } from './output.ts'

export async function listArchives({ place, out }: CommandCall): Promise<ExitCode> {
  const archives = await readFromStore(place, listNamedArchives)
  const rows = archives.map(({ archive, file, flows, payloads }) => [
    file,
    String(flows),
    String(payloads),
    archive,
  ])
  for (const line of formatTable([['FILE', 'FLOWS', 'PAYLOADS', 'SHA-256'], ...rows]))
    out.line(line)
  out.data({ archives })
  return EXIT.done
}
