/** What a link of the page names: it is brought into view, and marked as what was looked for. */
import { type RefObject, useEffect, useRef } from 'react'
import { useQuery } from '../../url/location.ts'

export type LinkedPlace<Part> = {
  readonly ref: RefObject<Part | null>
  readonly 'aria-current'?: 'true'
}

export function useLinkedPlace<Part extends Element>(name: string): LinkedPlace<Part> {
  const [shown] = useQuery('show')
  const ref = useRef<Part>(null)
  const isLinked = shown === name
  useEffect(() => {
    if (isLinked) ref.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])
  return isLinked ? { ref, 'aria-current': 'true' } : { ref }
}
