/** Can I believe this? Checked here, by the reader's own machine. */
import { type ChangeEvent, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { useClient } from '../../api/session.tsx'
import { useKeys } from '../../keys/keys.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { usePlace } from '../../url/location.ts'
import { PinsView } from './pins-view.tsx'
import { usePins } from './use-pins.ts'
import { type Job, verifier } from './verifier.ts'
import { VerifyProgress } from './verify-progress.tsx'
import { VerifyResult } from './verify-result.tsx'
import { WhatItProves } from './what-it-proves.tsx'
import './verify-view.css'

export function VerifyView(): ReactNode {
  const pins = usePins()
  const job = useSyncExternalStore(verifier.subscribe, () => verifier.job)
  const choose = useRef<HTMLInputElement>(null)
  const begin = (): void => verifier.checkServer(pins.pins)
  const handleChosen = (event: ChangeEvent<HTMLInputElement>): void => {
    const [file] = event.target.files ?? []
    if (file !== undefined) verifier.checkFile(file.name, file, pins.pins)
    event.target.value = ''
  }
  useBundle(pins.pins)
  useKeys([
    { keys: 'v', does: 'verify the ledger', run: begin },
    { keys: 'o', does: 'check a file', run: () => choose.current?.click() },
  ])
  return (
    <div className="verify">
      <div className="verify-main stack">
        <p className="row">
          <button type="button" className="main" onClick={begin} disabled={job.state === 'running'}>
            Verify the ledger of this server
          </button>
          <label className="verify-file">
            <span>or a file: a ledger export or a bundle. You can also drop it here</span>
            <input ref={choose} type="file" onChange={handleChosen} />
          </label>
        </p>
        <p className="small">
          <a href="/v1/ledger/export">Download the ledger</a>, to check it elsewhere:{' '}
          <code>npx rubicon verify ledger.ndjson</code>
        </p>
        <JobView job={job} pins={pins} />
        <PinsView {...pins} />
      </div>
      <WhatItProves />
    </div>
  )
}

function JobView({
  job,
  pins,
}: {
  readonly job: Job
  readonly pins: ReturnType<typeof usePins>
}): ReactNode {
  switch (job.state) {
    case 'idle':
      return null
    case 'running':
      return (
        <VerifyProgress name={job.name} progress={job.progress} cancel={() => verifier.cancel()} />
      )
    case 'failed':
      return (
        <p role="alert">
          ✖ {toVisibleText(job.name)} could not be checked: {toVisibleText(job.why)}
        </p>
      )
    case 'done':
      return <VerifyResult name={job.name} verified={job.verified} pins={pins} />
  }
}

/** `?bundle=DFID`: the bundle of a flow is fetched and checked. */
function useBundle(pins: ReturnType<typeof usePins>['pins']): void {
  const client = useClient()
  const dfid = usePlace().query.get('bundle')
  const held = useRef(pins)
  held.current = pins
  useEffect(() => {
    if (dfid === null) return
    const leaving = new AbortController()
    void client.exportBundle({ params: { dfid }, signal: leaving.signal }).then((answer) => {
      if (leaving.signal.aborted) return
      const name = `the bundle of flow ${dfid}`
      if (answer.ok) verifier.checkFile(name, new Blob([answer.body]), held.current)
      else verifier.fail(name, `${answer.problem.code}: ${answer.problem.detail}`)
    })
    return () => leaving.abort()
  }, [client, dfid])
}
