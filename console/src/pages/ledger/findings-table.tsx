import type { ReactNode } from 'react'
import type { Report } from 'rubicon-verifier/browser'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Table } from '../../parts/table.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { formatNumber } from './verdict-sentence.ts'

const SHOWN = 50

/** All that was found, in the order of the ledger. */
export function FindingsTable({ report }: { readonly report: Report }): ReactNode {
  const { findings, left_off } = report
  if (findings.length < 2) return null
  const more = findings.length - SHOWN + left_off
  return (
    <>
      <Table
        label="findings"
        columns={[{ name: 'entry', is: 'number' }, 'place', 'code', 'detail']}
      >
        <tbody>
          {findings.slice(0, SHOWN).map(({ leaf, trajectory, seq, code, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes
            <tr key={index}>
              <td className="number">{leaf ?? ''}</td>
              <td className="mono">
                {trajectory === null ? '' : `${toVisibleText(trajectory)}/${seq}`}
              </td>
              <td>
                <ReasonLink code={code} />
              </td>
              <td>{toVisibleText(detail)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {more > 0 ? <p className="quiet">and {formatNumber(more)} more</p> : null}
    </>
  )
}
