/** Hours of the 24-hour clock, for each hour 0 to 11 of the 12-hour clock, that a period such as "pm" stands for. */
export type Period = readonly (number | undefined)[];
