/** The versions of a contract: who put which in force when, and what one changed of another. */
import type { ReactNode } from 'react'
import type { ContractVersion } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useSession } from '../../api/session.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Id } from '../../parts/id.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Status, type StatusProps } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { useQuery } from '../../url/location.ts'
import { compareLines } from './line-diff.ts'
import { RevokeVersion } from './revoke-version.tsx'
import './versions-view.css'

export function VersionsView({ id }: { readonly id: string }): ReactNode {
  const { reply, again } = useReply(`contract ${id}`, (client, signal) =>
    client.getContract({ params: { agent_id: id }, signal }),
  )
  useBell(({ kind }) => kind === 'contract' || kind === 'revocation', again)
  if (reply.state === 'loading') return <Loading what="versions" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  return <Versions agent={id} versions={reply.value.versions} changed={again} />
}

function Versions({
  agent,
  versions,
  changed,
}: {
  readonly agent: string
  readonly versions: readonly ContractVersion[]
  readonly changed: () => void
}): ReactNode {
  const mayRevoke = useSession().session.roles.includes('operator')
  const [to, setTo] = useQuery('to', versions[0]?.version ?? '')
  const [from, setFrom] = useQuery('from', versions[1]?.version ?? '')
  const [before, after] = [from, to].map((wanted) => {
    return versions.find(({ version }) => version === wanted)?.source ?? ''
  })
  return (
    <>
      <Table columns={['version', 'status', 'deployed', 'signed by', 'hash']} hasAction={mayRevoke}>
        <tbody>
          {versions.map((one) => (
            <tr key={one.seq}>
              <td>{one.version}</td>
              <td>
                <Status {...toVersionStanding(one)} />
              </td>
              <td>
                <When at={one.at} />
              </td>
              <td>
                {one.by ?? one.signed_by} <Id value={one.key_id} />
              </td>
              <td>
                <Id value={one.contract_hash} />
              </td>
              {mayRevoke ? (
                <td>
                  {one.revoked ? null : (
                    <RevokeVersion agent={agent} version={one} revoked={changed} />
                  )}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </Table>
      {versions.length < 2 ? <p className="quiet">There is one version.</p> : null}
      {versions.length < 2 ? null : (
        <>
          <p className="row">
            <VersionChoice label="from" versions={versions} value={from} choose={setFrom} />
            <VersionChoice label="to" versions={versions} value={to} choose={setTo} />
          </p>
          <Diff before={before ?? ''} after={after ?? ''} />
        </>
      )}
    </>
  )
}

function toVersionStanding({ in_force, revoked }: ContractVersion): StatusProps {
  if (revoked) return { standing: 'rejected', word: 'revoked' }
  return in_force
    ? { standing: 'allowed', word: 'in force' }
    : { standing: 'repeated', word: 'for its open flows' }
}

function VersionChoice({
  label,
  versions,
  value,
  choose,
}: {
  readonly label: string
  readonly versions: readonly ContractVersion[]
  readonly value: string
  readonly choose: (version: string) => void
}): ReactNode {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => choose(event.target.value)}>
        {versions.map(({ version, seq }) => (
          <option key={seq} value={version}>
            {version}
          </option>
        ))}
      </select>
    </label>
  )
}

const MARKS = { same: ' ', added: '+', removed: '−' } as const
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const

export function Diff({
  before,
  after,
  label = 'difference',
}: {
  readonly before: string
  readonly after: string
  /** Tells several on a page apart. */
  readonly label?: string
}): ReactNode {
  const lines = compareLines(before, after)
  const changes = lines.filter(({ kind }) => kind !== 'same').length
  return (
    <section className="stack" aria-label={label}>
      <p className="quiet small">{describeChanges(changes)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre className="diff" tabIndex={0}>
        {lines.map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one difference never move
          <span key={index} className={`diff-line diff-${kind}`}>
            <span aria-hidden="true">{MARKS[kind]} </span>
            <span className="unseen">{WORDS[kind]}</span>
            {toVisibleText(text)}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  )
}

function describeChanges(changes: number): string {
  if (changes === 0) return 'No differences.'
  return changes === 1 ? '1 line differs.' : `${changes} lines differ.`
}
