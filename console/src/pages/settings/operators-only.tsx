import type { ReactNode } from 'react'
import { useSession } from '../../api/session.tsx'
import { Empty } from '../../parts/outcomes.tsx'

/** What the server would refuse is not asked for. */
export function OperatorsOnly({ children }: { readonly children: ReactNode }): ReactNode {
  const { roles } = useSession().session
  if (roles.includes('operator') || roles.includes('auditor')) return children
  return (
    <Empty
      what="Operators and auditors see this. Whoever runs the machine can give you the role:"
      command="npx rubicon token NAME --role operator,approver"
    />
  )
}

export function useIsOperator(): boolean {
  return useSession().session.roles.includes('operator')
}

/** Beside what an auditor may look at. */
export function LookOnly(): ReactNode {
  return <p className="quiet small">You can look at this; an operator can change it.</p>
}
