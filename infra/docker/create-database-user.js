// Runs once, when the container of MongoDB makes an empty database: a user for the services, without rights elsewhere.
db.getSiblingDB('gleaner').createUser({
  user: 'gleaner',
  pwd: process.env.MONGODB_PASSWORD,
  roles: [{ role: 'readWrite', db: 'gleaner' }],
});
