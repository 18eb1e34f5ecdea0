/** Small tools for honest figures: medians of interleaved rounds, since the machine is noisy. */
export declare function computeMedian(values: readonly number[]): number
export declare function computePercentile(values: readonly number[], share: number): number
/** How many a second. */
export declare function measureRate(
  count: number,
  work: () => Promise<void> | void,
): Promise<number>
/** Runs `work` until `count` are done, `lanes` at a time. */
export declare function runLanes(
  count: number,
  lanes: number,
  work: () => Promise<void>,
): Promise<void>
/** Three digits are all that this machine can tell. */
export declare function roundFigure(value: number): number
