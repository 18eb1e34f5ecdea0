import type { ReactNode } from 'react'
import { Copy } from '../../parts/id.tsx'

/** What is done on the machine and not here: the exact command. */
export function CommandLine({ command }: { readonly command: string }): ReactNode {
  return (
    <div className="settings-command">
      <code>{command}</code> <Copy value={command} what="copy the command" />
    </div>
  )
}

/** As a shell reads it. */
export function quoteWord(word: string): string {
  return /^[A-Za-z0-9._:@/=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
