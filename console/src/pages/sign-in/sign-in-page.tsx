/** Who are you? */
import { type ReactNode, useEffect } from 'react'
import type { AnyProblem, Session } from 'rubicon-agents/client'
import { Mark } from '../../parts/mark.tsx'
import { useQuery } from '../../url/location.ts'
import { SignInForm } from './sign-in-form.tsx'
import './sign-in-page.css'

export function SignInPage({
  entered,
  refused,
}: {
  readonly entered: (session: Session) => void
  /** Why the token of the link that led here was refused. */
  readonly refused: AnyProblem | null
}): ReactNode {
  // A provider that sent the browser back without a word that counts.
  const [problem] = useQuery('sign_in_problem')
  useEffect(() => {
    document.title = 'Sign in · Rubicon'
  }, [])
  return (
    <main className="sign-in">
      <h1 className="sign-in-name">
        <Mark /> Rubicon
      </h1>
      <p className="quiet">Agents propose, a deterministic kernel decides.</p>
      {problem === '' ? null : (
        <p role="alert">
          Signing in with the provider failed: <code>{problem}</code>. See its log and the
          runtime’s.
        </p>
      )}
      <SignInForm entered={entered} refused={refused} />
      <p className="quiet small">
        The runtime shows the token once, when it first starts. <code>npx rubicon token</code>, in
        the folder where it was started, creates a new one. <a href="/docs/">Read the docs</a>
      </p>
    </main>
  )
}
