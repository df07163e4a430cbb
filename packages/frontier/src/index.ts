export { compileRobots, type RobotsMatcher } from './robots/compile-robots.ts';
export { parseRobots, type Robots, type RobotsRule } from './robots/parse-robots.ts';
export { comparableUrl, type IgnoredQuery, urlKey } from './urls/url-key.ts';
