/** Who can ask this server: tokens of people, and browsers that are signed in. */
import type { ReactNode } from 'react'
import type { OpenSession, PersonToken } from 'rubicon-agents/client'
import { useLookAgain } from '../../../api/use-look-again.ts'
import { useReply } from '../../../api/use-reply.ts'
import { useKeys } from '../../../keys/keys.tsx'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { Empty, Failed, Loading } from '../../../parts/outcomes.tsx'
import { Table } from '../../../parts/table.tsx'
import { toVisibleText } from '../../../parts/visible-text.ts'
import { When } from '../../../parts/when.tsx'
import { CommandLine } from '../command-line.tsx'
import { LookOnly, useIsOperator } from '../operators-only.tsx'

const LOOK_MS = 10_000

export function TokensView(): ReactNode {
  const tokens = useReply('tokens', (client, signal) => client.listTokens({ signal }))
  const sessions = useReply('sessions', (client, signal) => client.listOpenSessions({ signal }))
  useLookAgain(sessions.again, LOOK_MS)
  const isOperator = useIsOperator()
  useKeys([{ keys: 'e', does: 'next session of somebody else', run: focusNextSession }])
  const loadAgain = (): void => {
    tokens.again()
    sessions.again()
  }
  return (
    <div className="stack settings-detail">
      <section className="settings-table">
        <h2>Tokens</h2>
        <p className="quiet">
          The server keeps their hashes; nobody can see a token again. What a name without a token
          may do is said by the provider that people sign in with.
        </p>
        {isOperator ? null : <LookOnly />}
        {tokens.reply.state === 'loading' ? <Loading what="tokens" shape="lines" /> : null}
        {tokens.reply.state === 'failed' ? (
          <Failed problem={tokens.reply.problem} again={loadAgain} />
        ) : null}
        {tokens.reply.state === 'ready' ? (
          <TokenTable tokens={tokens.reply.value.tokens} changed={loadAgain} />
        ) : null}
      </section>
      <section>
        <h3>Issue or replace a token</h3>
        <p className="quiet">
          On the machine of the server: whoever holds a token of an operator could otherwise make
          themselves a second person and approve their own requests. It is shown once, and counts at
          once; the one before is invalid.
        </p>
        <CommandLine command="npx rubicon token NAME --role approver" />
      </section>
      <section className="settings-table">
        <h2>Open sessions</h2>
        <p className="quiet">Browsers that are signed in. A session ends with its token.</p>
        {sessions.reply.state === 'loading' ? <Loading what="sessions" shape="lines" /> : null}
        {sessions.reply.state === 'failed' ? (
          <Failed problem={sessions.reply.problem} again={loadAgain} />
        ) : null}
        {sessions.reply.state === 'ready' ? (
          <SessionTable sessions={sessions.reply.value.sessions} changed={loadAgain} />
        ) : null}
      </section>
    </div>
  )
}

/** To the button that ends it; round the end to the first. */
function focusNextSession(): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-session="other"]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  rows[(at + 1) % rows.length]?.querySelector<HTMLElement>('.settings-act button')?.focus()
}

type TableProps = { readonly changed: () => void }

function TokenTable({
  tokens,
  changed,
}: TableProps & { readonly tokens: readonly PersonToken[] }): ReactNode {
  const isOperator = useIsOperator()
  if (tokens.length === 0)
    return <Empty what="Nobody has a token here: people sign in with a provider." />
  return (
    <Table label="tokens" columns={['name', 'may']} hasAction>
      <tbody>
        {tokens.map(({ name, roles, own, elsewhere }) => (
          <tr key={name}>
            <td>
              {toVisibleText(name)} {own ? <span className="quiet">(you)</span> : null}
            </td>
            <td>
              {roles.join(', ')}
              {elsewhere ? <span className="quiet small"> also elsewhere</span> : null}
            </td>
            <td className="settings-act">
              {isOperator ? (
                <ConfirmButton
                  word="Revoke"
                  title={`Revoke the token of ${name}`}
                  name={name}
                  means={[
                    `Whoever has it is sent away from now on${own ? ', and so are you' : ''}.`,
                    'Sessions that it opened end. What they decided stays as it was recorded.',
                    'It cannot be undone; another token can be made on the machine.',
                  ]}
                  ask={(client) => client.revokeToken({ params: { name } })}
                  done={changed}
                />
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function SessionTable({
  sessions,
  changed,
}: TableProps & { readonly sessions: readonly OpenSession[] }): ReactNode {
  const isOperator = useIsOperator()
  if (sessions.length === 0) return <Empty what="No browser is signed in." />
  return (
    <Table label="open sessions" columns={['who', 'last used', 'ends']} hasAction>
      <tbody>
        {sessions.map(({ name, id, shown, seen_at, expires_at, by, own }) => (
          <tr key={id} data-session={own ? 'own' : 'other'}>
            <td>
              {toVisibleText(shown ?? name)}{' '}
              <span className="quiet small">
                {own ? 'this browser' : `by ${by === 'token' ? 'token' : 'provider'}`}
              </span>
            </td>
            <td>
              <When at={seen_at} />
            </td>
            <td>
              <When at={expires_at} />
            </td>
            <td className="settings-act">
              {isOperator ? (
                <ConfirmButton
                  word="End"
                  title={`End the session of ${shown ?? name}`}
                  means={[
                    'That browser is signed out at once.',
                    'Their token stays as it is: they can sign in again. To keep them out, revoke it.',
                  ]}
                  ask={(client) => client.endOpenSession({ params: { name, id } })}
                  done={changed}
                />
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
