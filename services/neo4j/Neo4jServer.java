import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * Neo4j community with Bolt on loopback and authentication on, for tests.
 *
 * <p>Usage: {@code java -cp 'lib/*' Neo4jServer.java HOME PORT PASSWORD_FILE}. Says "ready" on standard output once it
 * can be logged in to. The password of the user {@code neo4j} is what the file says at every start, so that a data
 * folder and a password file that were not made together still fit.
 */
class Neo4jServer {
    public static void main(String[] args) {
        try {
            serve(Path.of(args[0]), Integer.parseInt(args[1]), Files.readString(Path.of(args[2])).strip());
        } catch (Exception exception) {
            // The kernel's threads would keep the process alive, and whoever waits for it waiting.
            exception.printStackTrace();
            System.exit(1);
        }
    }

    private static void serve(Path home, int port, String password) throws InterruptedException {
        DatabaseManagementService server = new DatabaseManagementServiceBuilder(home)
            .setConfig(BoltConnector.enabled, true)
            .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", port))
            .setConfig(GraphDatabaseSettings.auth_enabled, true)
            .build();
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
        // Replaced rather than altered: Neo4j refuses to set the password that is set already.
        server.database(GraphDatabaseSettings.SYSTEM_DATABASE_NAME).executeTransactionally(
            "CREATE OR REPLACE USER neo4j SET PLAINTEXT PASSWORD $password CHANGE NOT REQUIRED",
            Map.of("password", password));
        System.out.println("ready on port " + port);
        Thread.currentThread().join();
    }
}
