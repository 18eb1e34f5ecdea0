/** Why somebody may not decide, and for a login that is nobody yet: what an operator says about it. */
import type { ReactNode } from 'react'
import { useSession } from '../../api/session.tsx'
import { Copy } from '../../parts/id.tsx'
import { mayNotWords } from './inbox-words.ts'

export function MayNot({
  code,
  words = mayNotWords(code),
}: {
  readonly code: string
  readonly words?: string
}): ReactNode {
  const { session } = useSession()
  const { login } = session
  if (code !== 'PERSON_UNKNOWN' || login === null) return <p className="quiet">{words}</p>
  const command = `npx rubicon person link PERSON --issuer ${login.issuer} --sub ${login.sub}`
  return (
    <p>
      {words} <code>{command}</code> <Copy value={command} what="copy the command" />
    </p>
  )
}
