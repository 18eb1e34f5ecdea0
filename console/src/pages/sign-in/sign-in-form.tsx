/** The token that the runtime showed, or the people's own provider where there is one. */
import { type FormEvent, type ReactNode, useCallback, useEffect, useState } from 'react'
import type { AnyProblem, Session, SignInWays } from 'rubicon-agents/client'
import { stranger } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { listenForToken } from '../../url/token.ts'

export function SignInForm({
  entered,
  refused = null,
}: {
  readonly entered: (session: Session) => void
  readonly refused?: AnyProblem | null
}): ReactNode {
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<AnyProblem | null>(refused)
  const ways = useWays()
  const enter = useCallback(
    async (given: string): Promise<void> => {
      const answer = await stranger.startSession({ body: { token: given } })
      if (answer.ok) entered(answer.body)
      else setProblem(answer.problem)
    },
    [entered],
  )
  useEffect(() => listenForToken((given) => void enter(given)), [enter])
  const send = (event: FormEvent): void => {
    event.preventDefault()
    void enter(token.trim())
  }
  return (
    <>
      <form className="stack" onSubmit={send}>
        <label className="sign-in-field">
          Token
          <input
            type="password"
            autoComplete="current-password"
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        <button type="submit" className="main">
          Sign in
        </button>
      </form>
      {ways?.oidc == null ? null : (
        <p>
          <a href={`${ways.oidc.start}?return_to=${encodeURIComponent(getCurrentPath())}`}>
            Sign in with {ways.oidc.issuer}
          </a>
        </p>
      )}
      {problem === null ? null : <Failed problem={problem} />}
    </>
  )
}

function getCurrentPath(): string {
  return `${location.pathname}${location.search}`
}

function useWays(): SignInWays | null {
  const [ways, setWays] = useState<SignInWays | null>(null)
  useEffect(() => {
    void stranger.signInWays().then((answer) => {
      if (answer.ok) setWays(answer.body)
    })
  }, [])
  return ways
}
