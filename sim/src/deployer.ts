/**
 * Whoever deploys: new rules with an operator's yes, one machine after the other; and whoever starts a
 * process with rules that nobody agreed to, which is found out and put right after a while.
 */
import type { Scene } from './agents.ts'
import type { Host } from './host.ts'
import type { Faults } from './swarm.ts'

const EVERY_MS = [100, 1000, 6000]
/** For how long the former rules count; mostly not at all. */
const OVERLAP_MS = [0, 0, 500, 10_000]
/** After that somebody notices. */
const NOTICED_MS = 12_000

export async function simulateDeployer(scene: Scene, faults: Faults): Promise<void> {
  const { rng, site, time } = scene
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, rng.pick(EVERY_MS)))
    const machine = rng.pick(site.machines)
    if (faults.drawFault('rules_replaced')) {
      site.advanceRules(rng.pick(OVERLAP_MS))
      machine.replaceProcess('for the next rules')
      for (const other of site.machines) if (other !== machine) replaceProcessLater(scene, other)
    } else if (site.isRuled && faults.drawFault('foreign_rules')) {
      machine.replaceProcess('for rules that nobody agreed to', rng)
      replaceProcessLater(scene, machine)
    }
  }
}

function replaceProcessLater({ rng, site, time }: Scene, machine: Host): void {
  time.schedule(rng.drawBetween(1, NOTICED_MS), () => {
    if (isWrong(machine, site)) machine.replaceProcess('for the rules in force')
  })
}

/** Other rules, or the right ones without the yes of now: what nobody agreed to is not in force. */
function isWrong(machine: Host, site: Scene['site']): boolean {
  return machine.isForeign || machine.law !== site.law
}

/** After the storm everybody holds the rules in force. */
export async function replaceAllProcesses({
  site,
  time,
}: Pick<Scene, 'site' | 'time'>): Promise<void> {
  const isRight = (machine: Host): boolean => !isWrong(machine, site) && machine.running !== null
  while (!site.machines.every(isRight)) {
    for (const machine of site.machines)
      if (isWrong(machine, site)) machine.replaceProcess('for the rules in force')
    await time.sleep(100)
  }
}
