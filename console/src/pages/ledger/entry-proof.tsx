/** The inclusion proof, climbed by this browser from the entry to the signed root. */
import type { ReactNode } from 'react'
import type { GetEntryReply, EntryProof as Proof } from 'rubicon-agents/client'
import { decodeBase64, hashLeaf, isAddress, toLeafInput, verifyInclusion } from 'rubicon-kernel'
import { createBrowserCrypto } from 'rubicon-verifier/browser'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Status } from '../../parts/status.tsx'
import { Term } from '../../parts/term/term.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'

const { sha256 } = createBrowserCrypto()

export function EntryProof({
  found,
  again,
}: {
  readonly found: GetEntryReply
  readonly again: () => void
}): ReactNode {
  const { proof } = found
  if (proof === null)
    return (
      <p className="row">
        <span>
          No <Term word="checkpoint" /> covers this entry yet. One is signed every few seconds.
        </span>
        <button type="button" onClick={again}>
          Check again
        </button>
      </p>
    )
  const { checkpoint, inclusion, leaf } = proof
  const holds = isProven(proof)
  return (
    <div className="stack">
      <p>
        <Status
          standing={holds ? 'allowed' : 'rejected'}
          word={
            holds
              ? `entry ${leaf} is in the log of ${checkpoint.size} entries`
              : 'the proof does not lead to the root'
          }
        />
      </p>
      <Members>
        <Member name={<Term word="checkpoint">signed root</Term>}>
          <code className="wrap">{checkpoint.root}</code>
        </Member>
        <Member name="covers until">
          <When at={checkpoint.covers_until} />
        </Member>
        <Member name="log">
          <code className="wrap">{checkpoint.origin}</code>
        </Member>
        <Member name="steps">{inclusion.length}</Member>
      </Members>
      <p className="small quiet">
        This checks the hashes. To check who signed the root as well,{' '}
        <Link href="/ledger?in=verify">verify the ledger</Link>.
      </p>
      <Json value={{ leaf, inclusion }} label="proof" />
      <Json value={checkpoint.note} label="signed note" />
    </div>
  )
}

function isProven({ leaf, id, inclusion, checkpoint }: Proof): boolean {
  const nothing = new Uint8Array(0)
  if (!isAddress(id)) return false
  const claim = {
    leafIndex: leaf,
    treeSize: checkpoint.size,
    leafHash: hashLeaf(toLeafInput(id), sha256),
    proof: inclusion.map((hash) => decodeBase64(hash) ?? nothing),
    root: decodeBase64(checkpoint.root) ?? nothing,
  }
  return verifyInclusion(claim, sha256)
}
