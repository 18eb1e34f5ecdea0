import type { ReactNode } from 'react'
import { Copy } from '../../parts/id.tsx'

/**
 * What is done on the machine and not here: the exact command. Commands of the console begin with `npx`, as npm puts the command of a
 * project on nobody's path, and where it is on the path `npx` finds it too.
 */
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
